import type { Outbox } from '../../events/index.ts';

/** What the use cases around members need besides the request. */
export interface MemberTools {
  outbox: Outbox;
  /** Public address of the environment. */
  baseUrl: string;
}
