import type { Route } from '../http/index.ts';
import type { Job } from '../jobs/index.ts';
import type { CardTools } from './cards/card-tools.ts';
import { deleteUnusedCardsJob } from './cards/delete-unused-cards.ts';
import { cardRoutes } from './cards/routes.ts';
import type { ClockTools } from './clock/clock-tools.ts';
import { Places } from './clock/places.ts';
import { clockRoutes } from './clock/routes.ts';

/** What this room is opened with. */
export interface SandboxDeps extends CardTools, Omit<ClockTools, 'places'> {
  /** False in production: its routes are there, so that the API reference is whole, and answer not_found. */
  isSandbox: boolean;
}

/** The room, opened. */
export interface Sandbox {
  routes: Route[];
  jobs: Job[];
}

/** Opens the room for one environment. */
export function openSandbox(deps: SandboxDeps): Sandbox {
  const cards = deps.isSandbox ? deps.cards : undefined;
  const cardTools: CardTools = { cards, settleByRef: deps.settleByRef };
  const clockTools = deps.isSandbox ? { ...deps, places: new Places(MOST_AT_WORK, MOST_WAITING) } : undefined;
  return {
    routes: [...cardRoutes(cardTools), ...clockRoutes(clockTools)],
    jobs: cards === undefined ? [] : [deleteUnusedCardsJob(cards)],
  };
}

/** Clocks that are moved at once, and requests that wait until it is their turn. */
const MOST_AT_WORK = 2;
const MOST_WAITING = 32;
