import {
  AlignmentType,
  BorderStyle,
  Document,
  HeadingLevel,
  Packer,
  Paragraph,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from 'docx';
import { directionOf, type FlowBlock, type FlowCell, flowDirection } from '#app/engine/documents/document-flow.ts';

export type DocxJob = { docx: { title: string; flow: FlowBlock[] } };
export type DocxAnswer = { ok: true; content: Uint8Array } | { ok: false; key: string };

/** The first moment that an archive can hold. */
const EPOCH = Date.UTC(1980, 0, 1);

/** Sizes in half points, spaces in twentieths of one, near those of the printed page. */
const headingOf = (size: number) => ({
  run: { size, bold: true, color: '10182B' },
  paragraph: { keepNext: true, spacing: { before: 280, after: 120 } },
});
const FONT = 'Calibri';
const STYLES = {
  // Not every machine has letters of Arabic and Hebrew in the first.
  document: { run: { font: { ascii: FONT, hAnsi: FONT, cs: 'Arial' }, size: 22 }, paragraph: { spacing: { after: 120, line: 276 } } },
  heading1: headingOf(36),
  heading2: headingOf(28),
  heading3: headingOf(24),
};

/**
 * A Word document. All words are text. Equal input gives equal bytes, so that a file made again has the hash that is known: the library
 * writes the present moment into the archive, which `stopClock` has to hold before.
 */
export async function docxDocument({ title, flow }: DocxJob['docx']): Promise<Uint8Array> {
  const isRightToLeft = flowDirection(flow) === 'rtl';
  const children = flow.flatMap((block) => partsOf(block, isRightToLeft));
  const document = new Document({
    title,
    creator: 'Quorate',
    lastModifiedBy: 'Quorate',
    styles: { default: STYLES },
    sections: [{ children }],
  });
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

/** `isRightToLeft`: the document is. */
function partsOf(block: FlowBlock, isRightToLeft: boolean): (Paragraph | Table)[] {
  switch (block.kind) {
    case 'heading':
      return [paragraphOf(block.text, { isRightToLeft, heading: LEVELS[block.level] })];
    case 'paragraph':
      return [paragraphOf(block.text, { isRightToLeft })];
    case 'item':
      return [paragraphOf(block.text, { isRightToLeft, bullet: { level: 0 } })];
    case 'list':
      return block.items.map((item) => paragraphOf(item, { isRightToLeft, bullet: { level: 0 } }));
    case 'table':
      // Two tables in a row become one where nothing stands between them.
      return [tableOf(block, isRightToLeft), new Paragraph({})];
  }
}

/** Signs that XML cannot hold. */
const UNWRITABLE = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

type Options = {
  isRightToLeft: boolean;
  heading?: (typeof LEVELS)[1 | 2 | 3];
  bullet?: { level: number };
  bold?: boolean;
  isNumber?: boolean;
};

function paragraphOf(text: string, { isRightToLeft, bold, isNumber = false, ...options }: Options): Paragraph {
  const direction = directionOf(text);
  const rightToLeft = direction === 'rtl';
  const runs = text
    .replace(UNWRITABLE, '\uFFFD')
    .split('\n')
    .map((line, at) => new TextRun({ text: line, rightToLeft, ...(bold ? { bold } : {}), ...(at === 0 ? {} : { break: 1 }) }));
  return new Paragraph({
    ...options,
    ...sideOf(direction, isRightToLeft, { isNumber, isListed: options.bullet !== undefined }),
    children: runs,
  });
}

/**
 * A text without letters keeps its order, or the sign of a number would change its side; it only stands where the document puts it. In a list it
 * has the mark of its neighbours.
 */
function sideOf(
  direction: ReturnType<typeof directionOf>,
  isRightToLeft: boolean,
  { isNumber, isListed }: { isNumber: boolean; isListed: boolean },
) {
  if (direction !== null) return { bidirectional: direction === 'rtl' };
  if (isListed) return { bidirectional: isRightToLeft };
  return { bidirectional: false, alignment: isNumber === isRightToLeft ? AlignmentType.LEFT : AlignmentType.RIGHT };
}

const LINE = { style: BorderStyle.SINGLE, size: 4, color: 'C4C9D4' };
const LINES = { top: LINE, bottom: LINE, left: LINE, right: LINE, insideHorizontal: LINE, insideVertical: LINE };

function tableOf({ head, rows }: FlowBlock & { kind: 'table' }, isRightToLeft: boolean): Table {
  const cellOf = (cell: FlowCell) =>
    new TableCell({ children: [cell === null ? new Paragraph({}) : paragraphOf(cell.text, { isRightToLeft, isNumber: cell.isNumber })] });
  const named = (name: string) => new TableCell({ children: [paragraphOf(name, { isRightToLeft, bold: true })] });
  return new Table({
    visuallyRightToLeft: isRightToLeft,
    width: { size: 100, type: WidthType.PERCENTAGE },
    margins: { top: 60, bottom: 0, left: 100, right: 100 },
    borders: LINES,
    rows: [
      ...(head === null ? [] : [new TableRow({ tableHeader: true, cantSplit: true, children: head.map(named) })]),
      ...rows.map(
        ({ name, cells }) => new TableRow({ cantSplit: true, children: [...(name === null ? [] : [named(name)]), ...cells.map(cellOf)] }),
      ),
    ],
  });
}
