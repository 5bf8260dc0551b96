import type { License } from '@seathold/client';
import { Status, type Tone } from '../ui/index.ts';
import { useLicensesText } from './messages.ts';

const TONES = { active: 'success', suspended: 'warning', expired: 'idle', revoked: 'danger' } as const satisfies Record<
  License['status'],
  Tone
>;

/** Whether a license can be used. */
export function LicenseStatus({ status }: Pick<License, 'status'>) {
  const t = useLicensesText();
  return <Status tone={TONES[status]}>{t(status)}</Status>;
}
