import type { EventDefinition } from '../events/index.ts';
import type { Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Mailer } from '../mail/index.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import type { DeletionDeps } from './delete-organization.ts';
import { type ErasingTools, erasingJobs } from './erase-organizations.ts';
import { ORGANIZATION_EVENTS } from './events.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { organizationRoutes } from './routes.ts';

/** What this room is opened with. */
export interface OrganizationsDeps extends DeletionDeps, ErasingTools {
  mailer: Mailer;
  /** Public address of the environment, for the pictures of members who have set none. */
  baseUrl: string;
  /** Where the pages are to which mails lead. */
  authUrl: string;
}

/** The room, opened. */
export interface Organizations {
  routes: Route[];
  events: readonly EventDefinition[];
  jobs: Job[];
}

/** Opens the room for one environment. */
export function openOrganizations(deps: OrganizationsDeps): Organizations {
  const routes = [
    ...organizationRoutes(deps),
    ...memberRoutes(deps),
    ...invitationRoutes(deps),
    ...auditLogRoutes(),
    ...projectRoutes(),
  ];
  return { routes, events: ORGANIZATION_EVENTS, jobs: erasingJobs(deps) };
}
