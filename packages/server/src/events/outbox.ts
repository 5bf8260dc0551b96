import type { Static, TObject } from 'typebox';
import type { Queries } from '../database/index.ts';
import { newId } from '../ids/index.ts';
import { tracing } from '../tracing/index.ts';
import type { EventDefinition } from './define-event.ts';
import { type InsertEvents, insertEvents } from './queries.ts';

/** An event to be written. */
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

/** Where and when an event happened, for reactions. */
export interface Happening {
  organizationId: string;
  clockOffsetMs: number;
}

/** A room's reaction to another room's event, inside the same transaction. */
export interface Reaction {
  type: string;
  react(tx: Queries, object: Readonly<Record<string, unknown>>, happening: Happening): Promise<void>;
}

/** One entry of a room's reactions; the definition types the object. */
export function reactTo<Schema extends TObject>(
  definition: EventDefinition<Schema>,
  react: (tx: Queries, object: Static<Schema>, happening: Happening) => Promise<void>,
): Reaction {
  // Announcements of this type are only created by `announcement`, which accepts only the definition's object.
  return { type: definition.type, react: (tx, object, happening) => react(tx, object as Static<Schema>, happening) };
}

/** Writes events into the outbox and calls the reactions of other rooms. */
export interface Outbox {
  /**
   * Writes events in the transaction of the change that they announce, so neither exists without the other. Their IDs
   * sort in the given order. `clockOffsetMs` is how far the organization's own clock runs ahead. Then runs the
   * reactions of other rooms, in order.
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
 * For a statement that writes its events itself (`WriteEvents`). No room can react to such an event, because the
 * statement ends before the outbox knows about it.
 */
interface OutboxInStatement {
  /** Throws if a room reacts to one of these types. */
  requireNoReaction(types: readonly string[]): void;
  /**
   * Call it after the statement has written events. For traces, it lists those of one type that were certainly written.
   */
  announced(type: string, listIds: () => readonly string[]): void;
}

/** The listeners outside the service, which receive events after they are committed. */
export interface Audience {
  /**
   * Created by `defineEventInsert`: queues the events that an organization listens to. Without an audience, nothing is
   * queued.
   */
  insertEvents: InsertEvents;
  /** Called after events were committed. */
  onAnnounced(): void;
}

/** `reactions` may still grow until the first request, because the rooms are created one after the other. */
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
