import { Button, type ButtonProps, Tooltip, VisuallyHidden } from '@mantine/core';
import { useId } from 'react';
import { includesStaffRole, type StaffRole, useStaffRole } from '../../api/index.ts';
import { useStaffText } from './messages.ts';

/** A button that needs a staff role. People without it see the button, and why they cannot use it. */
export function GuardedButton(
  props: ButtonProps & { needs: StaffRole; onClick: () => void; children: string; 'aria-label'?: string },
) {
  const { needs, onClick, children, ...others } = props;
  const t = useStaffText();
  const id = useId();
  const role = useStaffRole() ?? 'viewer';
  if (includesStaffRole(role, needs)) {
    return (
      <Button {...others} onClick={onClick}>
        {children}
      </Button>
    );
  }
  const reason = t('needs_role', { needs: t(needs), has: t(role) });
  return (
    <Tooltip label={reason} multiline maw={260} events={{ hover: true, focus: true, touch: true }}>
      {/* It stays focusable, so that the reason can be reached by keyboard. */}
      <Button {...others} data-disabled aria-disabled aria-describedby={id} onClick={(event) => event.preventDefault()}>
        {children}
        <VisuallyHidden id={id}>{reason}</VisuallyHidden>
      </Button>
    </Tooltip>
  );
}
