export { createDashboardMount, type DashboardFacts } from './serve-dashboard.ts';
