import type { TSchema } from 'typebox';
import { Compile, type Validator } from 'typebox/compile';
import { Pointer } from 'typebox/value';
import { type ApiError, type InvalidReason, invalidRequest } from './errors.ts';
import { TEXT_PATTERNS } from './visible-text.ts';

/** Checks values against a schema that is compiled once; returns the first fault as `invalid_request`. */
export function createCheck(schema: TSchema): (value: unknown) => ApiError | undefined {
  const validator = validatorOf(schema);
  return (value) => (validator.Check(value) ? undefined : explain(validator, value));
}

/** Production, the sandbox and the OpenAPI document use the same schemas. */
function validatorOf(schema: TSchema): Validator {
  const validator = COMPILED.get(schema) ?? Compile(schema);
  COMPILED.set(schema, validator);
  return validator;
}

const COMPILED = new WeakMap<TSchema, Validator>();

/** JSON Schema keywords and their reasons (contract §3). */
const REASONS: Readonly<Record<string, InvalidReason>> = {
  type: 'type',
  required: 'required',
  additionalProperties: 'unknown',
  unevaluatedProperties: 'unknown',
  propertyNames: 'unknown',
  format: 'format',
  pattern: 'format',
  minimum: 'min',
  exclusiveMinimum: 'min',
  maximum: 'max',
  exclusiveMaximum: 'max',
  minLength: 'length',
  maxLength: 'length',
  minItems: 'length',
  maxItems: 'length',
  uniqueItems: 'length',
  minProperties: 'length',
  maxProperties: 'length',
  enum: 'enum',
  const: 'enum',
};

function explain(validator: Validator, value: unknown): ApiError {
  const overlong = findOverlongArray(value);
  if (overlong !== undefined) {
    return invalidRequest(overlong, 'length', `${overlong === '' ? 'The body' : overlong} has too many items.`);
  }
  // The errors of a union's branches come before the union's own; the first with a plain keyword is the most specific.
  const errors = validator.Errors(value);
  const error = errors.find((each) => REASONS[each.keyword] !== undefined) ?? errors[0];
  if (error === undefined) {
    return invalidRequest('', 'type', 'The body does not have the expected format.');
  }
  const field = fieldOf(error);
  const subject = field === '' ? 'The body' : field;
  const type = typeMissedBy(error, value);
  if (type !== undefined) {
    return invalidRequest(field, 'type', `${subject} must be ${type}.`);
  }
  const reason = REASONS[error.keyword] ?? 'type';
  return invalidRequest(field, reason, `${subject} ${messageOf(error, reason)}.`);
}

/**
 * The type of the allowed values, if the given value has another type. The validator reports such a value as one that is
 * not allowed. The API reports it as mistyped, as it does for every other field.
 */
function typeMissedBy(error: SchemaError, value: unknown): string | undefined {
  if (error.keyword !== 'enum') {
    return undefined;
  }
  const types = new Set(error.params.allowedValues.map((allowed) => typeof allowed));
  return types.has(typeof Pointer.Get(value, error.instancePath)) ? undefined : [...types].join(' or ');
}

/**
 * An array in an invalid body that is longer than any route accepts. It is reported before each of its items is
 * explained, which would block the process for a hundred thousand items.
 */
function findOverlongArray(value: unknown): string | undefined {
  if (Array.isArray(value)) {
    return value.length > MAX_EXPLAINED_ITEMS ? '' : undefined;
  }
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return fields.find(([, child]) => Array.isArray(child) && child.length > MAX_EXPLAINED_ITEMS)?.[0].slice(0, 200);
}

const MAX_EXPLAINED_ITEMS = 200;

type SchemaError = ReturnType<Validator['Errors']>[number];

/** The dotted path of the invalid field, including missing and unknown ones. */
function fieldOf(error: SchemaError): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const params: unknown = error.params;
  if (typeof params === 'object' && params !== null) {
    if ('requiredProperties' in params && Array.isArray(params.requiredProperties)) {
      path.push(String(params.requiredProperties[0]));
    } else if ('additionalProperties' in params && Array.isArray(params.additionalProperties)) {
      path.push(String(params.additionalProperties[0]));
    }
  }
  return path.join('.').slice(0, 200).toWellFormed();
}

function messageOf(error: SchemaError, reason: InvalidReason): string {
  if (reason === 'required') {
    return 'is required';
  }
  if (reason === 'unknown') {
    return 'is not a known field';
  }
  const pattern = 'pattern' in error.params ? TEXT_PATTERNS.get(String(error.params.pattern)) : undefined;
  return pattern?.message ?? error.message;
}
