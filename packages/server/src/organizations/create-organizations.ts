import type { EventDefinition } from '../events/index.ts';
import type { Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { Mailer } from '../mail/index.ts';
import { auditLogRoutes } from './audit-log/routes.ts';
import type { DeletionTools } from './delete-organization.ts';
import { type ErasingTools, erasingJobs } from './erase-organizations.ts';
import { ORGANIZATION_EVENTS } from './events.ts';
import { invitationRoutes } from './invitations/routes.ts';
import { memberRoutes } from './members/routes.ts';
import type { OrganizationFacts } from './operated/organization-facts.ts';
import { operatedOrganizationRoutes } from './operated/routes.ts';
import { projectRoutes } from './projects/routes.ts';
import { organizationRoutes } from './routes.ts';

/** The dependencies of this room. */
export interface OrganizationsTools extends DeletionTools, ErasingTools {
  mailer: Mailer;
  /** Public address of the environment, for mails and for the avatars of members who have not set one. */
  baseUrl: string;
  facts: OrganizationFacts;
}

/** The organizations room in one environment. */
export interface Organizations {
  routes: Route[];
  events: readonly EventDefinition[];
  jobs: Job[];
}

/** Creates the room for one environment. */
export function createOrganizations(tools: OrganizationsTools): Organizations {
  const routes = [
    ...organizationRoutes(tools),
    ...memberRoutes(tools),
    ...invitationRoutes(tools),
    ...auditLogRoutes(),
    ...projectRoutes(),
    ...operatedOrganizationRoutes(tools),
  ];
  return { routes, events: ORGANIZATION_EVENTS, jobs: erasingJobs(tools) };
}
