export type { EnvironmentName, Order, ProcessMetrics } from './messages.ts';
export { BACKGROUND, type Background, Supervisor } from './supervisor.ts';
export { type Duties, SupervisorLink } from './supervisor-link.ts';
