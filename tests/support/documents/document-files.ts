/** Small documents, good and hostile, made where a test needs them. */
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

type ZipEntry = { name: string; content: Buffer | string /** Marked as encrypted. */; encrypted?: boolean };

/** The text of an entry of a ZIP archive, found by its directory. */
export function entryOfZip(zip: Buffer, name: string): string {
  for (let at = zip.indexOf('PK\x01\x02', 0, 'latin1'); at !== -1; at = zip.indexOf('PK\x01\x02', at + 4, 'latin1')) {
    const length = zip.readUInt16LE(at + 28);
    if (zip.toString('utf8', at + 46, at + 46 + length) !== name) continue;
    const local = zip.readUInt32LE(at + 42);
    const from = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    return inflateRawSync(zip.subarray(from, from + zip.readUInt32LE(at + 20))).toString('utf8');
  }
  throw new Error(`the archive has no ${name}`);
}

/** A ZIP archive (APPNOTE 6.3), each entry deflated. */
export function zipOf(entries: readonly ZipEntry[]): Buffer {
  const parts: Buffer[] = [];
  const central: Buffer[] = [];
  let at = 0;
  for (const { name, content, encrypted = false } of entries) {
    const data = Buffer.from(content);
    const packed = deflateRawSync(data, { level: 1 });
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(encrypted ? 1 : 0, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    central.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, place, Buffer.from(name)]));
    parts.push(local);
    at += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, directory, end]);
}

const RELATIONSHIPS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const types = (overrides: string) =>
  `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides}</Types>`;
const rels = (list: string) => `<?xml version="1.0"?><Relationships xmlns="${RELATIONSHIPS}">${list}</Relationships>`;

/** A Word document of these paragraphs; `more`: entries besides. */
export function docxOf(paragraphs: readonly string[], more: readonly ZipEntry[] = [], encrypted = false): Buffer {
  const main = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml';
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('');
  return zipOf([
    { name: '[Content_Types].xml', content: types(`<Override PartName="/word/document.xml" ContentType="${main}"/>`) },
    { name: '_rels/.rels', content: rels(`<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/>`) },
    {
      name: 'word/document.xml',
      encrypted,
      content: `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    },
    ...more,
  ]);
}

/** A workbook with one sheet; `rows` is the XML of its rows. */
export function xlsxOf(rows: string | Buffer): Buffer {
  const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zipOf([
    {
      name: '[Content_Types].xml',
      content: types(
        `<Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${spreadsheet}.worksheet+xml"/>`,
      ),
    },
    { name: '_rels/.rels', content: rels(`<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/>`) },
    {
      name: 'xl/_rels/workbook.xml.rels',
      content: rels(`<Relationship Id="rId1" Type="${OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>`),
    },
    {
      name: 'xl/workbook.xml',
      content: `<?xml version="1.0"?><workbook xmlns="${main}" xmlns:r="${OFFICE}"><sheets><sheet name="Data" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      content: Buffer.concat([
        Buffer.from(`<?xml version="1.0"?><worksheet xmlns="${main}"><sheetData>`),
        Buffer.from(rows),
        Buffer.from('</sheetData></worksheet>'),
      ]),
    },
  ]);
}

/** Rows of numbers, from the second on in a single text of the same bytes, so that a million cost little. */
export function manyRows(count: number): Buffer {
  const row = Buffer.from('<row><c><v>1</v></c></row>');
  return Buffer.alloc(row.length * count, row);
}

/** A PDF with a line of text on each page. `encrypted`: as the standard security handler marks it. */
export function pdfOf(lines: readonly string[], encrypted = false): Buffer {
  const objects: string[] = [];
  const kids = lines.map((_, at) => `${4 + at * 2} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Count ${lines.length} /Kids [${kids}] >>`);
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [at, line] of lines.entries()) {
    const drawn = `BT /F1 12 Tf 72 700 Td (${line}) Tj ET`;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + at * 2} 0 R >>`,
      `<< /Length ${drawn.length} >>\nstream\n${drawn}\nendstream`,
    );
  }
  if (encrypted) objects.push(`<< /Filter /Standard /V 1 /R 2 /O <${'41'.repeat(32)}> /U <${'42'.repeat(32)}> /P -4 >>`);
  let text = '%PDF-1.4\n';
  const places = objects.map((object, at) => {
    const place = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const end = text.length;
  const locked = encrypted ? `/Encrypt ${objects.length} 0 R /ID [<00> <00>] ` : '';
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${locked}>>\nstartxref\n${end}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
