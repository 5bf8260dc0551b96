import { invalidRequest } from '../../http/index.ts';
import { licensingError } from '../errors.ts';
import { HARDWARE_ID_FORMAT } from '../schemas.ts';

/** What the schema cannot say: a hardware id of a wrong form has a code of its own, and metadata is bounded as a whole. */
export function checkAcquire(input: { hardware_id: string; metadata?: unknown }): void {
  if (!HARDWARE_ID.test(input.hardware_id)) {
    throw licensingError('invalid_hardware_id', `hardware_id must match ${HARDWARE_ID_FORMAT}.`, {
      expected_format: HARDWARE_ID_FORMAT,
    });
  }
  if (input.metadata !== undefined && Buffer.byteLength(JSON.stringify(input.metadata)) > MAX_METADATA_BYTES) {
    throw invalidRequest('metadata', 'length', `metadata must be at most ${MAX_METADATA_BYTES} bytes of JSON.`);
  }
}

const HARDWARE_ID = new RegExp(`^${HARDWARE_ID_FORMAT}$`);
const MAX_METADATA_BYTES = 8_192;
