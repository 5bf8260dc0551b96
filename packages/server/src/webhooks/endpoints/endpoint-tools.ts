import type { EventDefinition } from '../../events/index.ts';
import type { MasterKey } from '../../security/index.ts';
import type { DueNudges } from '../endpoint-state/lanes.ts';
import type { Sender } from '../sending/sender.ts';

/** The dependencies of the endpoints' API. */
export interface EndpointTools {
  catalogue: readonly EventDefinition[];
  masterKey: MasterKey;
  /** Only judges URLs; nothing is sent from a request. */
  sender: Pick<Sender, 'checkUrl'>;
  /** Rung when a user requested an attempt, one per lane. */
  due: DueNudges;
}
