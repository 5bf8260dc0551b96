import { isoTime } from '../../clock/index.ts';
import type { ActivationRow } from './queries.ts';

/** An activation as the API shows it; never its token. */
export function presentActivation(row: ActivationRow) {
  return {
    id: row.id,
    license_id: row.license_id,
    hardware_id: row.hardware_id,
    name: row.name,
    created_at: isoTime(row.created_at.getTime()),
    activated_at: isoTime(row.activated_at.getTime()),
  };
}
