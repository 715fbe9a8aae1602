import * as Dropdown from "@radix-ui/react-dropdown-menu";
import type { ReactNode } from "react";

interface Props {
  readonly label: string;
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly testId: string;
}

export function Menu({ label, trigger, children, testId }: Props) {
  // Not modal: that would put a style element into the page.
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger className="button-icon" aria-label={label} data-testid={testId}>
        {trigger}
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content className="menu" align="end" sideOffset={6} collisionPadding={8}>
          {children}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}

export function MenuItem({
  children,
  onSelect,
  testId,
}: {
  children: ReactNode;
  onSelect: () => void;
  testId?: string;
}) {
  return (
    // After the menu is gone, so that a dialog gets the focus, and not the menu's button.
    <Dropdown.Item className="menu-item" onSelect={() => setTimeout(onSelect, 0)} data-testid={testId}>
      {children}
    </Dropdown.Item>
  );
}

export function MenuLine() {
  return <Dropdown.Separator className="menu-line" />;
}

export function MenuMark() {
  return (
    <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
      <path d="M3 5h14M3 10h14M3 15h14" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
