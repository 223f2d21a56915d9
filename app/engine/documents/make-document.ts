import type { Json } from '#app/contracts/json.ts';
import { blocksOf, columnsOf, placeholdersOf } from '#app/domain/documents/document-template.ts';
import { FILE_MAX_BYTES, plainFileName } from '#app/domain/documents/run-file.ts';
import { isExpression, stripMark } from '#app/domain/workflows/mappings/expression-text.ts';
import { type CreateDocumentStep, TEMPLATE_MAX_PLACEHOLDERS } from '#app/domain/workflows/steps/create-document-step.ts';
import { type FlowBlock, flowOf, TemplateValueError } from '#app/engine/documents/document-flow.ts';
import { htmlDocument } from '#app/engine/documents/html-document.ts';
import { type CsvValue, writeCsv } from '#app/engine/documents/write-csv.ts';
import { ExpressionError } from '#app/engine/runs/expressions/evaluate.ts';

export type MadeDocument = { name: string; mediaType: string; content: Uint8Array };
type Evaluate = (expression: string) => Promise<Json>;
/** Writes a Word document in a process of its own. */
export type WriteDocx = (document: { title: string; flow: FlowBlock[] }) => Promise<Uint8Array>;

/** The most cells of a table: more would hold this process's other runs back. */
const MAX_CELLS = 500_000;

const refuse = (key: string, values: Record<string, string | number> = {}): never => {
  throw new ExpressionError({ key, values });
};

/** The file that a step describes, over values that are known. @throws ExpressionError for what the step names and is not there */
export async function makeDocument(step: CreateDocumentStep, evaluate: Evaluate, writeDocx: WriteDocx): Promise<MadeDocument> {
  const named = isExpression(step.fileName) ? await evaluate(stripMark(step.fileName)) : step.fileName;
  const base = typeof named === 'string' ? plainFileName(named.replace(/\.(?:csv|html?|docx)$/i, '')) : '';
  if (base === '') refuse('documentNoName');
  const content = await contentOf(step, base, evaluate, writeDocx);
  if (content.length > FILE_MAX_BYTES) refuse('documentTooLarge', { size: content.length, limit: FILE_MAX_BYTES });
  return { name: plainFileName(`${base}.${step.format}`), mediaType: MEDIA_TYPES[step.format], content };
}

const MEDIA_TYPES = {
  csv: 'text/csv; charset=utf-8',
  html: 'text/html; charset=utf-8',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
} as const;

async function contentOf(step: CreateDocumentStep, title: string, evaluate: Evaluate, writeDocx: WriteDocx): Promise<Uint8Array> {
  switch (step.format) {
    case 'csv':
      return new TextEncoder().encode(await csvOf(step, evaluate));
    case 'html':
      return new TextEncoder().encode(htmlDocument(title, await flowFor(step, evaluate)));
    case 'docx':
      return writeDocx({ title, flow: await flowFor(step, evaluate) });
  }
}

async function csvOf({ rows: expression, columns: named }: CreateDocumentStep, evaluate: Evaluate): Promise<string> {
  const value = await evaluate(stripMark(expression));
  if (value === null) refuse('documentNothingThere', { expression: stripMark(expression) });
  // JSONata gives a list of one as its one item
  const rows = (Array.isArray(value) ? value : [value]).map((row) =>
    typeof row === 'object' && row !== null && !Array.isArray(row) ? row : refuse('documentRowsNotTable'),
  );
  const known = new Set(rows.flatMap((row) => Object.keys(row)));
  const asked = columnsOf(named);
  const columns = asked.length > 0 ? asked : [...known].map((key) => ({ key, header: key }));
  const absent = rows.length === 0 ? undefined : columns.find(({ key }) => !known.has(key));
  if (absent !== undefined) refuse('documentNoColumn', { column: absent.key });
  if (rows.length * columns.length > MAX_CELLS) refuse('documentTooManyCells', { limit: MAX_CELLS });
  return writeCsv(
    columns.map(({ header }) => header),
    rows.map((row) => columns.map(({ key }) => cellOf(row[key] ?? null))),
  );
}

function cellOf(value: Json): CsvValue {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  return typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

async function flowFor({ template }: CreateDocumentStep, evaluate: Evaluate): Promise<FlowBlock[]> {
  const blocks = blocksOf(template) ?? refuse('documentOpenBraces');
  const expressions = [...new Set(placeholdersOf(template) ?? [])];
  if (expressions.length > TEMPLATE_MAX_PLACEHOLDERS) refuse('documentTooManyExpressions', { limit: TEMPLATE_MAX_PLACEHOLDERS });
  const values = new Map<string, Json>();
  for (const expression of expressions) {
    const value = await evaluate(expression);
    if (value === null) refuse('documentNothingThere', { expression });
    values.set(expression, value);
  }
  try {
    return flowOf(blocks, (expression) => values.get(expression) ?? null);
  } catch (error) {
    if (error instanceof TemplateValueError) return refuse('documentValueNotText', { expression: error.expression });
    throw error;
  }
}
