import type { Static, TObject } from 'typebox';
import type { Queries } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import { tracing } from '../tracing/index.ts';
import type { EventDefinition } from './define-event.ts';
import { type InsertEvents, insertEvents } from './queries.ts';

/** An event about to be written. */
export interface Announcement {
  type: string;
  object: Readonly<Record<string, unknown>>;
  isInternal: boolean;
}

/** Names the event and its object; the definition types the object. */
export function announcement<Schema extends TObject>(
  definition: EventDefinition<Schema>,
  object: Static<Schema>,
): Announcement {
  return { type: definition.type, object: { ...object }, isInternal: definition.isInternal === true };
}

/** Where and when an event happened, for those who react to it. */
export interface Happening {
  organizationId: string;
  clockOffsetMs: number;
}

/** What a room does when another room's event happens, inside the same transaction. */
export interface Reaction {
  type: string;
  react(tx: Queries, object: Readonly<Record<string, unknown>>, happening: Happening): Promise<void>;
}

/** One entry of a room's reactions; the definition types the object that it receives. */
export function reactTo<Schema extends TObject>(
  definition: EventDefinition<Schema>,
  react: (tx: Queries, object: Static<Schema>, happening: Happening) => Promise<void>,
): Reaction {
  // Only `announcement` makes what is announced under this type, and it takes nothing but the definition's object.
  return { type: definition.type, react: (tx, object, happening) => react(tx, object as Static<Schema>, happening) };
}

/** Writes events into the outbox and tells them to the rooms that react. */
export interface Outbox {
  /**
   * Writes events in the transaction of what they tell: neither exists without the other. Their ids sort in the order given.
   * `clockOffsetMs` is how far the organization's own clock runs ahead. Then the rooms that react do so, in their order.
   */
  announce(
    tx: Queries,
    organizationId: string,
    clockOffsetMs: number,
    announcements: readonly Announcement[],
  ): Promise<void>;
  /** For a statement that writes its events itself. */
  readonly inStatement: OutboxInStatement;
}

/**
 * For a statement that writes its events itself (`WriteEvents`). No room can react to such an event, since the statement is
 * over before the outbox hears of it.
 */
interface OutboxInStatement {
  /** Throws if a room reacts to one of these types. */
  requireNoReaction(types: readonly string[]): void;
  /** To be called when the statement has written events. For traces, it names those of one type that it has surely written. */
  announced(type: string, listIds: () => readonly string[]): void;
}

/** The listeners outside the service, which receive events after they are committed. */
export interface Audience {
  /** Made by `defineEventInsert`: queues what an organization listens to. Without an audience, nothing is queued for sending. */
  insertEvents: InsertEvents;
  /** Called when events were committed. */
  onAnnounced(): void;
}

/** `reactions` may still grow until the first request, since the rooms are made in turn. */
export function createOutbox(reactions: readonly Reaction[], audience?: Audience): Outbox {
  const insert = audience?.insertEvents ?? insertEvents;
  return {
    inStatement: createOutboxInStatement(reactions, audience),
    async announce(tx, organizationId, clockOffsetMs, announcements) {
      const kept = announcements.filter((each) => !each.isInternal);
      if (kept.length > 0) {
        const announced = kept.map(({ type, object }) => ({ id: newId('event'), type, object }));
        await insert(tx, { organizationId, clockOffsetMs, announced });
        tracing()?.noteEvents(announced);
        tx.afterCommit(() => audience?.onAnnounced());
      }
      for (const each of announcements) {
        for (const reaction of reactions) {
          if (reaction.type === each.type) {
            await reaction.react(tx, each.object, { organizationId, clockOffsetMs });
          }
        }
      }
    },
  };
}

function createOutboxInStatement(reactions: readonly Reaction[], audience: Audience | undefined): OutboxInStatement {
  return {
    requireNoReaction(types) {
      const reaction = reactions.find(({ type }) => types.includes(type));
      if (reaction !== undefined) {
        throw new Error(`a room reacts to ${reaction.type}, so no statement can write it by itself`);
      }
    },
    announced(type, listIds) {
      const traces = tracing();
      traces?.noteEvents(listIds().map((id) => ({ id, type })));
      audience?.onAnnounced();
    },
  };
}
