import { type Static, Type } from 'typebox';

const Entries = (description: string) => Type.Array(Type.Record(Type.String(), Type.Unknown()), { description });

/** A catalogue file. Its entries are checked by file-schema.ts, which reports all faults together. */
export const Catalogue = Type.Object(
  {
    products: Type.Optional(Entries('The products.')),
    plans: Entries('The plans, as in a catalogue file.'),
    coupons: Type.Optional(Entries('The coupons.')),
    meters: Type.Optional(Entries('The meters.')),
  },
  { title: 'Catalogue' },
);

const Shown = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], { description });

const CatalogueChange = Type.Object(
  {
    kind: Type.Enum(['product', 'plan', 'coupon', 'meter']),
    key: Type.String({ description: "The key of the product or plan, the coupon's code, or the meter's name." }),
    action: Type.Enum(['added', 'changed', 'archived', 'revived', 'removed']),
    fields: Type.Array(
      Type.Object({
        field: Type.String(),
        before: Shown('Null if there was no value.'),
        after: Shown('Null if there is no value anymore.'),
      }),
      { description: 'The fields that change.' },
    ),
  },
  { title: 'CatalogueChange' },
);

/** What a catalogue changed, or would change. */
export const CatalogueDifference = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether nothing was written.' }),
    changes: Type.Array(CatalogueChange, { description: 'Empty if the catalogue already matches the file.' }),
  },
  { title: 'CatalogueDifference' },
);
export type CatalogueDifference = Static<typeof CatalogueDifference>;
