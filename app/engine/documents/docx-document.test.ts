import { expect, test } from 'vitest';
import { docxDocument } from '#app/engine/documents/docx-document.ts';
import { entryOfZip } from '#tests/support/documents/document-files.ts';

const cell = (text: string, isNumber = false) => ({ text, isNumber });

async function paragraphsOf(first: string): Promise<{ table: string; paragraphs: { [text: string]: string } }> {
  const made = await docxDocument({
    title: 'Offer',
    flow: [
      { kind: 'heading', level: 1, text: first },
      { kind: 'table', head: ['البند', 'Price'], rows: [{ name: null, cells: [cell('Lamp'), cell('-480.5', true)] }] },
      { kind: 'table', head: null, rows: [{ name: 'due', cells: [cell('2026-03-04')] }] },
      { kind: 'item', text: '42' },
    ],
  });
  const xml = entryOfZip(Buffer.from(made), 'word/document.xml');
  const found = [...xml.matchAll(/<w:p>(?:<w:pPr>(.*?)<\/w:pPr>)?<w:r>.*?<w:t[^>]*>(.*?)<\/w:t>/g)];
  return {
    table: /<w:tblPr>(.*?)<\/w:tblPr>/.exec(xml)?.[1] ?? '',
    paragraphs: Object.fromEntries(found.map(([, how = '', text = '']) => [text, how])),
  };
}

test('a Word document begins on the side of its first letters, and a number keeps its sign where it is read', async () => {
  const arabic = await paragraphsOf('عرض');
  expect(arabic.table).toContain('<w:bidiVisual/>');
  expect(arabic.paragraphs).toMatchObject({
    عرض: expect.stringContaining('<w:bidi/>'),
    البند: '<w:bidi/>',
    Lamp: '<w:bidi w:val="false"/>',
    '-480.5': '<w:bidi w:val="false"/><w:jc w:val="left"/>',
    '2026-03-04': '<w:bidi w:val="false"/><w:jc w:val="right"/>',
    '42': expect.stringMatching(/<w:numPr>.*<w:bidi\/>/),
  });
  const english = await paragraphsOf('Offer');
  expect(english.table).not.toContain('<w:bidiVisual/>');
  expect(english.paragraphs).toMatchObject({
    البند: '<w:bidi/>',
    '-480.5': '<w:bidi w:val="false"/><w:jc w:val="right"/>',
    '2026-03-04': '<w:bidi w:val="false"/><w:jc w:val="left"/>',
    '42': expect.stringMatching(/<w:numPr>.*<w:bidi w:val="false"\/>/),
  });
});
