import { describe, expect, it } from 'vitest';
import { composeSchemas } from './compose.ts';

const text = { type: 'string' };
const BASE = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: text, name: text, created_at: text },
  examples: [{ id: '1', name: 'Ada', created_at: 'today' }],
};

function extending(members: object, rest: object = {}) {
  return { type: 'object', required: ['id', 'name'], properties: { ...BASE.properties, ...members }, ...rest };
}

describe('a schema of the API reference', () => {
  it('refers to the one whose members it has, and names only its own', () => {
    const extended = { ...extending({ role: text }, { description: 'A member.' }), required: ['id', 'name', 'role'] };
    expect(composeSchemas({ Base: BASE, Extended: extended })).toEqual({
      Base: BASE,
      Extended: {
        description: 'A member.',
        allOf: [
          { $ref: '#/components/schemas/Base' },
          { type: 'object', required: ['role'], properties: { role: text } },
        ],
      },
    });
  });

  it('shows in its example only what the base’s does not', () => {
    const example = { ...BASE.examples[0], role: 'admin' };
    const { Extended } = composeSchemas({ Base: BASE, Extended: extending({ role: text }, { examples: [example] }) });
    expect(Extended).toEqual({
      allOf: [
        { $ref: '#/components/schemas/Base' },
        { type: 'object', properties: { role: text }, examples: [{ role: 'admin' }] },
      ],
    });
  });

  it('keeps an example that differs from the base’s', () => {
    const example = { id: '2', name: 'Grace', created_at: 'today', role: 'admin' };
    const { Extended } = composeSchemas({ Base: BASE, Extended: extending({ role: text }, { examples: [example] }) });
    expect(Extended).toMatchObject({ examples: [example] });
  });

  it('refers to the largest of several', () => {
    const larger = extending({ role: text });
    const { Largest } = composeSchemas({ Base: BASE, Larger: larger, Largest: extending({ role: text, team: text }) });
    expect(Largest).toMatchObject({ allOf: [{ $ref: '#/components/schemas/Larger' }, { properties: { team: text } }] });
  });

  it('stays whole if it is a branch of a union, where readers look for the member that tells it apart', () => {
    const schemas = {
      Base: BASE,
      Branch: extending({ kind: { enum: ['branch'] } }),
      Union: {
        oneOf: [{ $ref: '#/components/schemas/Branch' }],
        discriminator: { propertyName: 'kind', mapping: { branch: '#/components/schemas/Branch' } },
      },
    };
    expect(composeSchemas(schemas)).toEqual(schemas);
  });

  it.each([
    ['it has the same members and no more', extending({})],
    ['a member differs', extending({ id: { type: 'integer' }, role: text })],
    ['a member may be missing that the base requires', { ...extending({ role: text }), required: ['id'] }],
    ['it takes no further members', extending({ role: text }, { additionalProperties: false })],
  ])('stays as it is if %s', (_when, schema) => {
    expect(composeSchemas({ Base: BASE, Other: schema })).toEqual({ Base: BASE, Other: schema });
  });
});
