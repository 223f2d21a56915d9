import { expect, test } from 'vitest';
import { extract } from '#app/engine/documents/reading/extract.ts';
import { docxOf, manyRows, pdfOf, xlsxOf, zipOf } from '#tests/support/documents/document-files.ts';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (name: string, content: Uint8Array) => extract({ name, content: new Uint8Array(content) });
const faultOf = (name: string, content: Uint8Array) =>
  read(name, content).then(
    (found) => found,
    ({ key, values }) => ({ key, values }),
  );
const cell = (ref: string, value: string, formula = '') => `<c r="${ref}" t="str">${formula}<v>${value}</v></c>`;

test('text comes out of PDF, Word and plain files', async () => {
  expect(await read('a.pdf', pdfOf(['Invoice 7', 'Total']))).toEqual({ kind: 'pdf', text: 'Invoice 7\n\nTotal', pages: 2, cut: null });
  expect(await read('a.docx', docxOf(['Dear Ada', 'Thanks']))).toEqual({
    kind: 'docx',
    text: 'Dear Ada\n\nThanks',
    pages: null,
    cut: null,
  });
  expect(await read('a', bytes('\uFEFFgrün\u{1F600}'))).toMatchObject({ kind: 'text', text: 'grün\u{1F600}' });
  expect(await read('a.txt', Buffer.from('\uFEFFé', 'utf16le'))).toMatchObject({ text: 'é' });
});

test('tables come out as rows; a formula is its stored value, and columns without a name of their own have one', async () => {
  const rows = `<row r="1">${cell('A1', 'n')}${cell('B1', 'n')}</row><row r="2"><c r="A2"><v>1.5</v></c>${cell('B2', 'two', '<f>WEBSERVICE("http://x")</f>')}</row>`;
  expect(await read('a.xlsx', xlsxOf(rows))).toEqual({
    kind: 'xlsx',
    sheet: null,
    columns: ['n', 'column_2'],
    rows: [{ n: 1.5, column_2: 'two' }],
    cut: null,
  });
  expect(await read('a.csv', bytes('who;n\r\n"Z; ""Q""";1\r\n\r\nB;2;3\r\n'))).toMatchObject({
    columns: ['who', 'n', 'column_3'],
    rows: [
      { who: 'Z; "Q"', n: '1', column_3: null },
      { n: '2', column_3: '3' },
    ],
  });
});

test('of an image only its size is read', async () => {
  const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.from('0000012c000000c8', 'hex')]);
  expect(await read('a.png', png)).toEqual({ kind: 'image', format: 'png', width: 300, height: 200, cut: null });
  expect(await read('a.jpg', Buffer.from('ffd8ffe000040000ffc0000b0800640032', 'hex'))).toMatchObject({ width: 50, height: 100 });
  expect(await read('a.gif', Buffer.from('4749463839610a001400', 'hex'))).toMatchObject({ width: 10, height: 20 });
  expect(await faultOf('a.png', png.subarray(0, 18))).toMatchObject({ key: 'readBroken' });
});

test('a file that is not what its name says, or nothing that is read, is refused', async () => {
  expect(await faultOf('a.pdf', bytes('hello'))).toEqual({ key: 'readOtherKind', values: { claimed: 'PDF' } });
  expect(await faultOf('a.png', pdfOf(['x']))).toMatchObject({ key: 'readOtherKind' });
  expect(await faultOf('a.docx', xlsxOf(''))).toMatchObject({ key: 'readOtherKind' });
  expect(await faultOf('a.zip', zipOf([{ name: 'a', content: 'a' }]))).toMatchObject({ key: 'readUnknownKind' });
  expect(await faultOf('a.txt', Buffer.from('4d5a90000300', 'hex'))).toMatchObject({ key: 'readUnknownKind' });
  expect(await faultOf('a.txt', new Uint8Array())).toMatchObject({ key: 'readEmpty' });
  expect(await faultOf('a.pdf', bytes('%PDF-1.4 and nothing'))).toMatchObject({ key: 'readBroken' });
});

test('macros, encryption, archives inside and zip bombs are refused before a library opens the file', async () => {
  const zeros = Buffer.alloc(51_000_000);
  expect(await faultOf('a.docx', docxOf(['x'], [{ name: 'word/vbaProject.bin', content: 'x' }]))).toMatchObject({ key: 'readMacros' });
  expect(await faultOf('a.docx', docxOf(['x'], [], true))).toMatchObject({ key: 'readEncrypted' });
  expect(await faultOf('a.pdf', pdfOf(['x'], true))).toMatchObject({ key: 'readEncrypted' });
  expect(await faultOf('a.docx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))).toMatchObject({ key: 'readEncryptedOrOld' });
  const nested = zipOf([{ name: 'a', content: 'a' }]);
  expect(await faultOf('a.docx', docxOf(['x'], [{ name: 'word/embeddings/a.bin', content: nested }]))).toMatchObject({ key: 'readNested' });
  expect(await faultOf('a.docx', docxOf(['x'], [{ name: 'b.xml', content: zeros }]))).toMatchObject({ key: 'readTooLargeInside' });
  const many = Array.from({ length: 5 }, (_, at) => ({ name: `${at}.xml`, content: zeros.subarray(0, 49_000_000) }));
  expect(await faultOf('a.docx', docxOf(['x'], many))).toMatchObject({ key: 'readTooLargeInside' });
  const parts = Array.from({ length: 1_000 }, (_, at) => ({ name: `${at}`, content: '' }));
  expect(await faultOf('a.docx', docxOf(['x'], parts))).toMatchObject({ key: 'readTooManyEntries' });
  // the central directory names one part twice: parts that lie over one another
  const once = zipOf([
    { name: 'a', content: zeros.subarray(0, 1_000) },
    { name: 'b', content: '' },
  ]);
  once.writeUInt32LE(0, once.lastIndexOf('PK\x01\x02', undefined, 'latin1') + 42);
  expect(await faultOf('a.docx', once)).toMatchObject({ key: 'readBroken' });
});

test('what is longer than may be read is refused; what has no room in a value is cut, and said to be', async () => {
  expect(await faultOf('a.pdf', pdfOf(Array(2_000).fill('x')))).toEqual({ key: 'readTooManyPages', values: { pages: 2_000, limit: 300 } });
  expect(await faultOf('a.csv', bytes(`a\n${'1\n'.repeat(100_001)}`))).toEqual({ key: 'readTooManyRows', values: { limit: 100_000 } });
  expect(await faultOf('a.csv', bytes(`${'a,'.repeat(501)}\n`))).toMatchObject({ key: 'readTooManyColumns' });
  const long = await read('a.txt', bytes('ü"\u{1F600}'.repeat(500_000)));
  expect(long).toMatchObject({ cut: { of: 2_000_000 } });
  expect(JSON.stringify(long).length).toBeLessThan(1_000_000);
  const table = await read('a.csv', bytes(`a\n${'"x""y"\n'.repeat(90_000)}`));
  expect(table.cut).toMatchObject({ of: 90_000 });
  expect(JSON.stringify(table).length).toBeLessThan(1_000_000);
});

test('a workbook of many rows is read no further than it may have', async () => {
  expect(await faultOf('a.xlsx', xlsxOf(manyRows(150_000)))).toEqual({ key: 'readTooManyRows', values: { limit: 100_000 } });
});
