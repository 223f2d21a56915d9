import { AlignmentType, Document, HeadingLevel, Packer, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } from 'docx';
import type { FlowBlock, FlowCell } from '#app/engine/documents/document-flow.ts';

export type DocxJob = { docx: { title: string; flow: FlowBlock[] } };
export type DocxAnswer = { ok: true; content: Uint8Array } | { ok: false; key: string };

/** The first moment that an archive can hold. */
const EPOCH = Date.UTC(1980, 0, 1);

/**
 * A Word document. All words are text. Equal input gives equal bytes, so that a file made again has the hash that is known: the library
 * writes the present moment into the archive, which `stopClock` has to hold before.
 */
export async function docxDocument({ title, flow }: DocxJob['docx']): Promise<Uint8Array> {
  const document = new Document({ title, creator: 'Quorate', lastModifiedBy: 'Quorate', sections: [{ children: flow.flatMap(partsOf) }] });
  return new Uint8Array(await Packer.toBuffer(document));
}

/** Holds the clock of this thread at one moment, for good. */
export function stopClock(): void {
  const Running = Date;
  globalThis.Date = class extends Running {
    constructor(...given: unknown[]) {
      super(...((given.length === 0 ? [EPOCH] : given) as [number]));
    }
    static override now(): number {
      return EPOCH;
    }
  } as DateConstructor;
}

const LEVELS = { 1: HeadingLevel.HEADING_1, 2: HeadingLevel.HEADING_2, 3: HeadingLevel.HEADING_3 } as const;

function partsOf(block: FlowBlock): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [paragraphOf(block.text, { heading: LEVELS[block.level] })];
    case 'paragraph':
      return [paragraphOf(block.text)];
    case 'item':
      return [paragraphOf(block.text, { bullet: { level: 0 } })];
    case 'list':
      return block.items.map((item) => paragraphOf(item, { bullet: { level: 0 } }));
    case 'table':
      // Two tables in a row become one where nothing stands between them.
      return [tableOf(block), new Paragraph({})];
  }
}

/** The first letter that has a direction of its own, as `dir="auto"` finds it. */
const FIRST_STRONG = /\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;
const isRightToLeft = (text: string) => RIGHT_TO_LEFT.test(FIRST_STRONG.exec(text)?.[0] ?? '');
/** Signs that XML cannot hold. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

type Options = { heading?: (typeof LEVELS)[1 | 2 | 3]; bullet?: { level: number }; bold?: boolean; isNumber?: boolean };

function paragraphOf(text: string, { bold = false, isNumber = false, ...options }: Options = {}): Paragraph {
  const rightToLeft = isRightToLeft(text);
  const runs = text
    .replace(UNWRITABLE, '\uFFFD')
    .split('\n')
    .map((line, at) => new TextRun({ text: line, bold, rightToLeft, ...(at === 0 ? {} : { break: 1 }) }));
  return new Paragraph({ ...options, bidirectional: rightToLeft, ...(isNumber ? { alignment: AlignmentType.END } : {}), children: runs });
}

function tableOf({ head, rows }: FlowBlock & { kind: 'table' }): Table {
  const cellOf = (cell: FlowCell) =>
    new TableCell({ children: [cell === null ? new Paragraph({}) : paragraphOf(cell.text, { isNumber: cell.isNumber })] });
  const named = (name: string) => new TableCell({ children: [paragraphOf(name, { bold: true })] });
  return new Table({
    width: { size: 100, type: WidthType.PERCENTAGE },
    rows: [
      ...(head === null ? [] : [new TableRow({ tableHeader: true, children: head.map(named) })]),
      ...rows.map(({ name, cells }) => new TableRow({ children: [...(name === null ? [] : [named(name)]), ...cells.map(cellOf)] })),
    ],
  });
}
