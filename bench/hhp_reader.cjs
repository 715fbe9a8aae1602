// Texts of hands on standard input, as a JSON list; what hhp reads in them on standard output.
// The argument is the package.json of the workspace that has hhp.

const { createRequire } = require('node:module');
const { readFileSync } = require('node:fs');

const { parseHand } = createRequire(process.argv[2])('hhp');
const texts = JSON.parse(readFileSync(0, 'utf8'));
process.stdout.write(JSON.stringify(texts.map((text) => parseHand(text) ?? null)));
