import type { EventDefinition } from '../../events/index.ts';
import type { Nudge } from '../../jobs/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { Sender } from '../sending/sender.ts';

/** What the endpoints' API works with. */
export interface EndpointTools {
  catalogue: readonly EventDefinition[];
  masterKey: MasterKey;
  /** Only judges URLs; nothing is sent from a request. */
  sender: Pick<Sender, 'judge'>;
  /** Rung when an attempt was planned that somebody waits for, one for each lane. */
  due: { swift: Nudge; cautious: Nudge };
}
