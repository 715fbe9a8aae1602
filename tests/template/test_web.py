"""The page on AWS: who may read its bucket, its headers, and which pages the room lets in."""

import re
from typing import Any

import pytest

from local.web_pages import headers
from tests.template.parsed import resources, template

ARCHIVE = ("HandsBucket", "HandsBucketPolicy")
WEB = ("WebBucket", "WebBucketPolicy", "WebAccess", "WebHeaders", "Distribution")
HOST = "${AWS::Region}.${AWS::URLSuffix}"


def _one(kind: str) -> dict[str, Any]:
    (resource,) = resources(kind).values()
    properties: dict[str, Any] = resource["Properties"]
    return properties


def test_it_is_on_aws_alone_and_can_be_switched_off() -> None:
    parsed = template()
    assert parsed["Parameters"]["WebClient"]["Default"] == "true"
    assert parsed["Conditions"]["HasWeb"] == {
        "Fn::And": [{"Condition": "IsAws"}, {"Fn::Equals": [{"Ref": "WebClient"}, "true"]}]
    }
    of_it = {
        name
        for name, resource in parsed["Resources"].items()
        if resource["Type"].startswith(("AWS::S3::", "AWS::CloudFront::")) and name not in ARCHIVE
    }
    assert of_it == set(WEB)
    for name in WEB:
        assert parsed["Resources"][name]["Condition"] == "HasWeb"
    told = {name for name, one in parsed["Outputs"].items() if one.get("Condition") == "HasWeb"}
    assert told == {"WebUrl", "WebBucket", "WebDistribution", "WebDistributionDomain"}


def test_its_headers_are_those_of_the_local_room() -> None:
    """And besides that it is never asked for over HTTP again."""
    policy = _one("AWS::CloudFront::ResponseHeadersPolicy")["ResponseHeadersPolicyConfig"]
    secure = policy["SecurityHeadersConfig"]
    items = [*secure.values(), *policy["CustomHeadersConfig"]["Items"]]
    assert all(item["Override"] is True for item in items)
    sent = {
        "Content-Security-Policy": secure["ContentSecurityPolicy"]["ContentSecurityPolicy"][
            "Fn::Sub"
        ],
        "X-Content-Type-Options": "nosniff",
        "X-Frame-Options": secure["FrameOptions"]["FrameOption"],
        "Referrer-Policy": secure["ReferrerPolicy"]["ReferrerPolicy"],
        **{item["Header"]: item["Value"] for item in policy["CustomHeadersConfig"]["Items"]},
    }
    assert "ContentTypeOptions" in secure
    websocket = f"wss://${{Api}}.execute-api.{HOST}"
    assert template()["Outputs"]["WebSocketUrl"]["Value"]["Fn::Sub"] == f"{websocket}/room"
    assert sent == headers(websocket, f"https://cognito-idp.{HOST}")
    assert secure["StrictTransportSecurity"]["AccessControlMaxAgeSec"] >= 365 * 24 * 3600


def test_the_bucket_is_private_and_read_by_this_distribution_alone() -> None:
    bucket = resources("AWS::S3::Bucket")["WebBucket"]["Properties"]
    assert set(bucket["PublicAccessBlockConfiguration"].values()) == {True}
    assert len(bucket["PublicAccessBlockConfiguration"]) == 4
    assert bucket["OwnershipControls"]["Rules"] == [{"ObjectOwnership": "BucketOwnerEnforced"}]
    policy = resources("AWS::S3::BucketPolicy")["WebBucketPolicy"]["Properties"]
    allowed, denied = policy["PolicyDocument"]["Statement"]
    assert allowed["Principal"] == {"Service": "cloudfront.amazonaws.com"}
    assert allowed["Action"] == ["s3:GetObject"]
    assert allowed["Resource"] == {"Fn::Sub": "${WebBucket.Arn}/*"}
    (condition,) = allowed["Condition"].items()
    assert condition[0] == "StringEquals"
    assert condition[1]["AWS:SourceArn"]["Fn::Sub"].endswith(":distribution/${Distribution}")
    assert (denied["Effect"], denied["Principal"]) == ("Deny", "*")
    assert denied["Condition"] == {"Bool": {"aws:SecureTransport": "false"}}


def test_the_distribution_gives_files_over_tls_with_those_headers() -> None:
    config = _one("AWS::CloudFront::Distribution")["DistributionConfig"]
    behaviour = config["DefaultCacheBehavior"]
    assert behaviour["ViewerProtocolPolicy"] == "redirect-to-https"
    assert behaviour["AllowedMethods"] == ["GET", "HEAD"]
    assert behaviour["ResponseHeadersPolicyId"] == {"Ref": "WebHeaders"}
    assert behaviour["Compress"] is True
    assert "CacheBehaviors" not in config
    (origin,) = config["Origins"]
    assert origin["OriginAccessControlId"] == {"Ref": "WebAccess"}
    access = _one("AWS::CloudFront::OriginAccessControl")["OriginAccessControlConfig"]
    assert (access["SigningBehavior"], access["SigningProtocol"]) == ("always", "sigv4")
    own_name, default = config["ViewerCertificate"]["Fn::If"][1:]
    assert own_name["MinimumProtocolVersion"] == "TLSv1.2_2021"
    assert default == {"CloudFrontDefaultCertificate": True}
    assert config["PriceClass"] != "PriceClass_All"


def test_the_room_lets_its_own_page_in() -> None:
    """And what says that it comes from the very address that it connects to: no page is there."""
    authorizer = template()["Resources"]["AuthorizerFunction"]["Properties"]
    between, parts = authorizer["Environment"]["Variables"]["ORIGINS"]["Fn::Join"]
    assert between == " "
    itself, page, others = parts
    assert itself == {
        "Fn::If": [
            "IsAws",
            {"Fn::Sub": f"https://${{Api}}.execute-api.{HOST}"},
            {"Ref": "LocalEndpoint"},
        ]
    }
    own_name = {"Fn::Sub": "https://${WebDomain}"}
    cloudfront = {"Fn::Sub": "https://${Distribution.DomainName}"}
    named = {"Fn::If": ["HasWebDomain", own_name, cloudfront]}
    assert page == {"Fn::If": ["HasWeb", named, ""]}
    assert others == {"Ref": "AllowedOrigins"}


@pytest.mark.parametrize(
    ("origins", "admitted"),
    [
        ("", True),
        ("https://play.example.com", True),
        ("https://play.example.com:8443", True),
        ("http://127.0.0.1:5173 http://localhost:5173", True),
        ("https://a.example.com https://b.example.com", True),
        ("*", False),
        ("null", False),
        ("https://*.example.com", False),
        ("http://play.example.com", False),
        ("https://play.example.com/", False),
        ("https://Play.example.com", False),
        ("https://a.example.com, https://b.example.com", False),
        ("https://a.example.com ", False),
    ],
)
def test_other_pages_are_named_as_browsers_name_them(origins: str, admitted: bool) -> None:
    pattern = template()["Parameters"]["AllowedOrigins"]["AllowedPattern"]
    assert bool(re.fullmatch(pattern, origins)) is admitted
