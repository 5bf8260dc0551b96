import type { Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { CardTools } from './cards/card-tools.ts';
import { deleteUnusedCardsJob } from './cards/delete-unused-cards.ts';
import { cardRoutes } from './cards/routes.ts';
import { Capacity } from './clock/capacity.ts';
import type { ClockTools } from './clock/clock-tools.ts';
import { clockRoutes } from './clock/routes.ts';

export interface SandboxTools extends CardTools, Omit<ClockTools, 'capacity'> {
  /** False in production: the routes exist, so the API reference is complete, and return not_found. */
  isSandbox: boolean;
}

/** The room sandbox in one environment. */
export interface Sandbox {
  routes: Route[];
  jobs: Job[];
}

/** Creates the room for one environment. */
export function createSandbox(tools: SandboxTools): Sandbox {
  const cards = tools.isSandbox ? tools.cards : undefined;
  const cardTools: CardTools = { cards, settleByRef: tools.settleByRef };
  const clockTools = tools.isSandbox ? { ...tools, capacity: new Capacity(MOST_RUNNING, MOST_WAITING) } : undefined;
  return {
    routes: [...cardRoutes(cardTools), ...clockRoutes(clockTools)],
    jobs: cards === undefined ? [] : [deleteUnusedCardsJob(cards)],
  };
}

/** How many clocks are moved concurrently, and how many requests may wait for their turn. */
const MOST_RUNNING = 2;
const MOST_WAITING = 32;
