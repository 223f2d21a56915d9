import type { Json } from '#app/contracts/json.ts';
import type { Risk } from '#app/contracts/statuses.ts';
import { type BuiltinTool, objectSchema, RISK_SCHEMA, ToolInputError } from '#app/engine/mcp/builtin-tools/builtin-tool.ts';
import { parseCsv, separatorOf } from '#app/engine/mcp/builtin-tools/csv.ts';
import { findPersonalData, PERSONAL_DATA_KINDS, type PersonalDataKind } from '#app/engine/personal-data/find-personal-data.ts';

const MAX_ROWS = 50_000;
const MAX_COLUMNS = 200;
const MAX_DISTINCT = 10_000;
const NUMBER = /^[+-]?(?:\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{1,15})?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:\.\d{1,9})?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const BOOLEAN = /^(?:true|false|yes|no)$/i;

export const profileCsv: BuiltinTool = {
  name: 'profile_csv',
  title: 'Profile a CSV table',
  description:
    'Reads a CSV table and answers its rows and, for each column, its type, empty and distinct values, range, most frequent values and the kinds of personal data found in it. Quality problems are listed as findings.',
  inputSchema: objectSchema(
    {
      csv: { type: 'string', title: 'CSV with a header line', minLength: 1, maxLength: 3_000_000 },
      separator: { type: 'string', title: 'Separator', enum: [',', ';', '\t', '|'], description: 'Left out: found from the first line' },
    },
    ['separator'],
  ),
  outputSchema: objectSchema({
    risk: RISK_SCHEMA,
    rows: { type: 'integer' },
    duplicateRows: { type: 'integer' },
    separator: { type: 'string' },
    columns: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          type: { type: 'string', enum: ['empty', 'boolean', 'number', 'date', 'text'] },
          empty: { type: 'integer' },
          distinct: { type: 'integer' },
          distinctIsExact: { type: 'boolean' },
          min: { type: ['string', 'number', 'null'] },
          max: { type: ['string', 'number', 'null'] },
          mean: { type: ['number', 'null'] },
          longest: { type: 'integer' },
          top: {
            type: 'array',
            items: { type: 'object', properties: { value: { type: 'string' }, count: { type: 'integer' } }, required: ['value', 'count'] },
          },
          personalData: { type: 'array', items: { type: 'string' } },
        },
        required: ['name', 'type', 'empty', 'distinct', 'personalData'],
      },
    },
    findings: {
      type: 'array',
      items: {
        type: 'object',
        properties: { column: { type: ['string', 'null'] }, problem: { type: 'string' }, severity: RISK_SCHEMA },
        required: ['column', 'problem', 'severity'],
      },
    },
  }),
  run({ csv, separator }) {
    const text = String(csv);
    const by = typeof separator === 'string' ? separator : separatorOf(text);
    const [header, ...rows] = parseCsv(text, by, MAX_ROWS);
    if (header === undefined) throw new ToolInputError('The table has no header line.');
    if (header.length > MAX_COLUMNS) throw new ToolInputError(`The table has more than ${MAX_COLUMNS} columns.`);
    const columns = header.map((name, index) =>
      profileColumn(name.trim() === '' ? `column ${index + 1}` : name.trim().slice(0, 120), rows, index),
    );
    const findings = [...shapeFindings(header, rows), ...columns.flatMap((column) => column.findings)];
    const severities = new Set(findings.map((finding) => finding.severity));
    return {
      risk: severities.has('high') ? 'high' : severities.has('medium') ? 'medium' : 'low',
      rows: rows.length,
      duplicateRows: rows.length - new Set(rows.map((row) => JSON.stringify(row))).size,
      separator: by,
      columns: columns.map((column) => column.profile),
      findings,
    };
  },
};

type Finding = { column: string | null; problem: string; severity: Risk };

function shapeFindings(header: readonly string[], rows: readonly string[][]): Finding[] {
  const findings: Finding[] = [];
  const ragged = rows.filter((row) => row.length !== header.length).length;
  if (ragged > 0) findings.push({ column: null, problem: `${ragged} rows do not have ${header.length} fields`, severity: 'medium' });
  const names = header.map((name) => name.trim().toLowerCase());
  const twice = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  if (twice.length > 0)
    findings.push({ column: null, problem: `column names occur twice: ${twice.slice(0, 5).join(', ')}`, severity: 'medium' });
  if (rows.length === 0) findings.push({ column: null, problem: 'there are no rows below the header', severity: 'low' });
  return findings;
}

function profileColumn(name: string, rows: readonly string[][], index: number): { profile: { [key: string]: Json }; findings: Finding[] } {
  const counts = new Map<string, number>();
  const kinds = new Set<PersonalDataKind>();
  const matching = { boolean: 0, number: 0, date: 0 };
  let empty = 0;
  let longest = 0;
  let sum = 0;
  let low = Number.POSITIVE_INFINITY;
  let high = Number.NEGATIVE_INFINITY;
  let first: string | null = null;
  let last: string | null = null;
  for (const row of rows) {
    const value = (row[index] ?? '').trim();
    if (value === '') {
      empty += 1;
      continue;
    }
    longest = Math.max(longest, value.length);
    if (counts.size < MAX_DISTINCT || counts.has(value)) counts.set(value, (counts.get(value) ?? 0) + 1);
    if (kinds.size < PERSONAL_DATA_KINDS.length && value.length <= 10_000) {
      const label = `${name.slice(0, 40)}: `;
      for (const finding of findPersonalData(label + value)) if (finding.certain && finding.end > label.length) kinds.add(finding.kind);
    }
    if (BOOLEAN.test(value)) matching.boolean += 1;
    if (DATE.test(value)) matching.date += 1;
    if (NUMBER.test(value)) {
      matching.number += 1;
      const number = Number(value.replaceAll(',', ''));
      sum += number;
      low = Math.min(low, number);
      high = Math.max(high, number);
    }
    if (first === null || value < first) first = value;
    if (last === null || value > last) last = value;
  }
  const filled = rows.length - empty;
  const type = filled === 0 ? 'empty' : ((['boolean', 'number', 'date'] as const).find((kind) => matching[kind] === filled) ?? 'text');
  const ordered = type === 'date';
  const personalData = PERSONAL_DATA_KINDS.filter((kind) => kinds.has(kind));
  const findings: Finding[] = [];
  if (personalData.length > 0) {
    const severe = personalData.some((kind) => kind !== 'email' && kind !== 'phone');
    findings.push({ column: name, problem: `holds personal data: ${personalData.join(', ')}`, severity: severe ? 'high' : 'medium' });
  }
  if (filled === 0 && rows.length > 0) findings.push({ column: name, problem: 'is empty', severity: 'low' });
  else if (empty > 0) findings.push({ column: name, problem: `is empty in ${empty} of ${rows.length} rows`, severity: 'low' });
  if (type === 'text' && matching.number > 0 && matching.number >= filled * 0.9) {
    findings.push({ column: name, problem: `is a number in all but ${filled - matching.number} rows`, severity: 'medium' });
  }
  return {
    findings,
    profile: {
      name,
      type,
      empty,
      distinct: counts.size,
      distinctIsExact: counts.size < MAX_DISTINCT,
      min: type === 'number' ? low : ordered ? first : null,
      max: type === 'number' ? high : ordered ? last : null,
      mean: type === 'number' ? sum / filled : null,
      longest,
      // Values of a column with personal data stay out of the profile: it may go where the table may not.
      top:
        personalData.length > 0
          ? []
          : [...counts]
              .sort((a, b) => b[1] - a[1])
              .slice(0, 5)
              .map(([value, count]) => ({ value: value.slice(0, 80), count })),
      personalData,
    },
  };
}
