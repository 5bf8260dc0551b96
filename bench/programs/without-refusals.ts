// Loaded before a service, so that it records no refused acquire: what recording costs is the difference.
import { RefusalLog } from '../../packages/server/src/licensing/refusals/refusal-log.ts';

RefusalLog.prototype.note = () => undefined;
