export { collectStartGarbage } from './collect-start-garbage.ts';
export type { EnvironmentName, Order } from './messages.ts';
export { BACKGROUND, Supervisor } from './supervisor.ts';
export { type Duties, SupervisorLink } from './supervisor-link.ts';
