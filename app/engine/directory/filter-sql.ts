import { type RawBuilder, sql } from 'kysely';
import type { Compare, Filter } from 'scim2-parse-filter';
import { isForgotten, plainName } from '#app/engine/directory/attribute-names.ts';
import { invalidFilter } from '#app/engine/directory/parse-filter.ts';
import { isId } from '#app/engine/directory/read-values.ts';

type Condition = RawBuilder<boolean>;
/** A column as a filter compares it. `exact`: upper and lower case differ. */
type Column = { kind: 'text' | 'boolean' | 'instant' | 'id'; sql: RawBuilder<unknown>; exact?: true };
/** A list whose elements a filter looks at; `inner`: their columns by the name behind the dot. */
type Listed = { kind: 'list'; from: RawBuilder<unknown>; inner: Readonly<Record<string, Column>> };
export type Attributes = ReadonlyMap<string, Column | Listed>;

const META = [
  ['id', { kind: 'id', sql: sql`r.id` }],
  ['externalid', { kind: 'text', sql: sql`r.external_id`, exact: true }],
  ['displayname', { kind: 'text', sql: sql`r.display_name` }],
  ['meta.created', { kind: 'instant', sql: sql`r.created_at` }],
  ['meta.lastmodified', { kind: 'instant', sql: sql`r.changed_at` }],
] as const satisfies readonly (readonly [string, Column])[];

/** Attributes of a person, whose row is `r`. */
export const PERSON_ATTRIBUTES: Attributes = new Map<string, Column | Listed>([
  ...META,
  ['username', { kind: 'text', sql: sql`r.user_name` }],
  ['name.givenname', { kind: 'text', sql: sql`r.given_name` }],
  ['name.familyname', { kind: 'text', sql: sql`r.family_name` }],
  ['name.formatted', { kind: 'text', sql: sql`r.formatted_name` }],
  ['active', { kind: 'boolean', sql: sql`r.active` }],
  [
    'emails',
    {
      kind: 'list',
      from: sql`jsonb_to_recordset(r.emails) as e (value text, type text, "primary" boolean) where true`,
      inner: {
        value: { kind: 'text', sql: sql`e.value` },
        type: { kind: 'text', sql: sql`e.type` },
        primary: { kind: 'boolean', sql: sql`e."primary"` },
      },
    },
  ],
  [
    'groups',
    {
      kind: 'list',
      from: sql`quorate.directory_group_people g where g.person_id = r.id`,
      inner: { value: { kind: 'id', sql: sql`g.group_id` } },
    },
  ],
]);

/** Attributes of a group, whose row is `r`. */
export const GROUP_ATTRIBUTES: Attributes = new Map<string, Column | Listed>([
  ...META,
  [
    'members',
    {
      kind: 'list',
      from: sql`quorate.directory_group_people g where g.group_id = r.id`,
      inner: { value: { kind: 'id', sql: sql`g.person_id` } },
    },
  ],
]);

/**
 * A filter as a condition of SQL over the fixed attributes, with every value bound. Attributes that are not kept have no value.
 * @throws ScimError invalidFilter for an attribute that there is none, or an operator that its kind has not
 */
export function filterSql(filter: Filter, attributes: Attributes, schema: string): Condition {
  switch (filter.op) {
    case 'and':
      return sql`(${sql.join(
        filter.filters.map((one) => filterSql(one, attributes, schema)),
        sql` and `,
      )})`;
    case 'or':
      return sql`(${sql.join(
        filter.filters.map((one) => filterSql(one, attributes, schema)),
        sql` or `,
      )})`;
    case 'not':
      return sql`(not ${filterSql(filter.filter, attributes, schema)})`;
    case '[]':
      return ofList(filter.attrPath, filter.valFilter, attributes);
    default:
      return ofAttribute(filter.attrPath, filter, attributes, schema);
  }
}

type Test = Exclude<Filter, { op: 'and' | 'or' | 'not' | '[]' }>;

function ofAttribute(path: string, test: Test, attributes: Attributes, schema: string): Condition {
  const name = plainName(path);
  if (name === 'schemas') return ofSchemas(test, schema);
  const found = attributes.get(name);
  if (found !== undefined && found.kind !== 'list') return compare(found, test);
  const [outer = '', inner = 'value', ...rest] = name.split('.');
  const list = found ?? attributes.get(outer);
  if (list?.kind === 'list' && rest.length === 0) {
    const column = Object.entries(list.inner).find(([known]) => known === inner)?.[1];
    if (column !== undefined) return sql`(exists (select from ${list.from} and ${compare(column, test)}))`;
  }
  return ofNothing(name, test);
}

function ofList(path: string, inner: Filter, attributes: Attributes): Condition {
  const name = plainName(path);
  const list = attributes.get(name);
  if (list?.kind === 'list')
    return sql`(exists (select from ${list.from} and ${filterSql(inner, new Map(Object.entries(list.inner)), '')}))`;
  if (!isForgotten(name)) throw invalidFilter(`There is no attribute ${path} with elements.`);
  return sql`(false)`;
}

/** An attribute that nobody has: only `ne` is true of it, and `eq null`. */
function ofNothing(name: string, test: Test): Condition {
  if (!isForgotten(name)) throw invalidFilter(`There is no attribute ${name}.`);
  if (test.op === 'ne') return test.compValue === null ? sql`(false)` : sql`(true)`;
  return test.op === 'eq' && test.compValue === null ? sql`(true)` : sql`(false)`;
}

function ofSchemas(test: Test, schema: string): Condition {
  if (test.op === 'pr') return sql`(true)`;
  if (test.op !== 'eq' && test.op !== 'ne') throw invalidFilter('schemas is compared with eq and ne.');
  const same = typeof test.compValue === 'string' && test.compValue.toLowerCase() === schema.toLowerCase();
  return same === (test.op === 'eq') ? sql`(true)` : sql`(false)`;
}

function compare(column: Column, test: Test): Condition {
  if (test.op === 'pr') return sql`(${column.sql} is not null)`;
  const { op, compValue } = test;
  if (compValue === null) {
    if (op !== 'eq' && op !== 'ne') throw invalidFilter(`null is compared with eq and ne.`);
    return op === 'eq' ? sql`(${column.sql} is null)` : sql`(${column.sql} is not null)`;
  }
  switch (column.kind) {
    case 'boolean':
      return compareBoolean(column, op, compValue);
    case 'instant':
      return compareInstant(column, op, compValue);
    case 'id':
      return compareId(column, op, compValue);
    case 'text':
      return compareText(column, op, compValue);
  }
}

type Value = Exclude<Compare['compValue'], null>;
const ORDERS = { gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;
const isOrder = (op: Compare['op']): op is keyof typeof ORDERS => Object.hasOwn(ORDERS, op);

function compareBoolean({ sql: column }: Column, op: Compare['op'], value: Value): Condition {
  const word = typeof value === 'string' ? value.toLowerCase() : String(value);
  if ((op !== 'eq' && op !== 'ne') || (word !== 'true' && word !== 'false'))
    throw invalidFilter('A truth value is compared with eq and ne, and with true and false.');
  return sql`(${column} is ${op === 'eq' ? sql`not ` : sql``}distinct from ${word === 'true'}::boolean)`;
}

function compareInstant({ sql: column }: Column, op: Compare['op'], value: Value): Condition {
  const at = typeof value === 'string' ? new Date(value) : null;
  if (at === null || Number.isNaN(at.getTime())) throw invalidFilter('A time is compared with a time of ISO 8601.');
  // a caller sees whole milliseconds
  const shown = sql`date_trunc('milliseconds', ${column})`;
  if (op === 'eq') return sql`(${shown} = ${at}::timestamptz)`;
  if (op === 'ne') return sql`(${shown} is distinct from ${at}::timestamptz)`;
  if (!isOrder(op)) throw invalidFilter('Times have no parts to look for.');
  return sql`(${shown} ${ORDERS[op]} ${at}::timestamptz)`;
}

function compareId({ sql: column }: Column, op: Compare['op'], value: Value): Condition {
  if (op !== 'eq' && op !== 'ne') throw invalidFilter('An id is compared with eq and ne.');
  const id = String(value);
  if (!isId(id)) return op === 'eq' ? sql`(false)` : sql`(true)`;
  return op === 'eq' ? sql`(${column} = ${id}::uuid)` : sql`(${column} is distinct from ${id}::uuid)`;
}

function compareText({ sql: column, exact }: Column, op: Compare['op'], value: Value): Condition {
  const given = sql`${String(value)}::text`;
  const [kept, wanted] = exact ? [column, given] : [sql`lower(${column})`, sql`lower(${given})`];
  switch (op) {
    case 'eq':
      return sql`coalesce(${kept} = ${wanted}, false)`;
    case 'ne':
      return sql`(${kept} is distinct from ${wanted})`;
    case 'co':
      return sql`coalesce(position(${wanted} in ${kept}) > 0, false)`;
    case 'sw':
      return sql`coalesce(starts_with(${kept}, ${wanted}), false)`;
    case 'ew':
      return sql`coalesce(right(${kept}, length(${wanted})) = ${wanted}, false)`;
    default:
      return sql`coalesce(${kept} collate "C" ${ORDERS[op]} ${wanted} collate "C", false)`;
  }
}
