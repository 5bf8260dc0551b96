import { type Static, Type } from 'typebox';
import { idPattern } from '../../ids/index.ts';
import { NameInput } from '../../users/index.ts';

const Timestamp = Type.String({ format: 'date-time' });
const Status = Type.Enum(['active', 'archived']);

const Slug = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  description: 'Lowercase letters and digits, separated by hyphens. Unique within the organization.',
});
const Description = Type.Union([Type.String({ maxLength: 1000 }), Type.Null()]);

/** A project as the API shows one. */
export const Project = Type.Object(
  {
    id: Type.String({ pattern: idPattern('project') }),
    name: Type.String(),
    slug: Slug,
    description: Type.Union([Type.String(), Type.Null()]),
    status: Status,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { title: 'Project' },
);
export type Project = Static<typeof Project>;

/** The body of POST /v1/projects. */
export const ProjectInput = Type.Object(
  { name: NameInput, slug: Type.Optional(Slug), description: Type.Optional(Description) },
  { additionalProperties: false },
);
export type ProjectInput = Static<typeof ProjectInput>;

/** The body of PATCH /v1/projects/{project_id}. Omitted fields stay unchanged. */
export const ProjectChange = Type.Object(
  {
    name: Type.Optional(NameInput),
    slug: Type.Optional(Slug),
    description: Type.Optional(Description),
    status: Type.Optional(Status),
  },
  { additionalProperties: false },
);
export type ProjectChange = Static<typeof ProjectChange>;
