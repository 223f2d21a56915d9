import fc from 'fast-check';
import { HtmlValidate } from 'html-validate';
import { expect, test } from 'vitest';
import type { Json } from '#app/contracts/json.ts';
import { plainFileName } from '#app/domain/documents/run-file.ts';
import { type CreateDocumentStep, createDocumentRules } from '#app/domain/workflows/steps/create-document-step.ts';
import { makeDocument } from '#app/engine/documents/make-document.ts';
import { evaluate } from '#app/engine/runs/expressions/evaluate.ts';

const base = { id: 'doc', name: 'Report', timeoutSeconds: 30, retries: 0, backoffSeconds: 0, onError: 'fail' } as const;
async function make(step: Partial<CreateDocumentStep>, input: { [name: string]: Json } = {}) {
  const scope = { input, steps: {}, run: { id: 'run', mode: 'live', startedAt: '2026-01-02T03:04:05.000Z' } };
  const made = await makeDocument(
    { ...createDocumentRules.create(base), ...step },
    (text) => evaluate(text, scope),
    async (document) => Buffer.from(JSON.stringify(document)),
  );
  return { ...made, text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(made.content) };
}
const faultOf = (step: Partial<CreateDocumentStep>, input: { [name: string]: Json } = {}) =>
  make(step, input).then(
    () => null,
    (error) => error.explanation,
  );
const page = (template: string, input: { [name: string]: Json } = {}) =>
  make({ format: 'html', template }, input).then(({ text }) => text.slice(text.indexOf('<body>') + 7, text.indexOf('\n</body>')));

test('a table has the columns that are named, or all keys of its rows, and no cell is a formula', async () => {
  const rows: Json = [
    { n: 1, who: '=HYPERLINK("http://x")' },
    { n: -2, who: 'Zoë', open: true, more: { a: 1 } },
  ];
  expect(await make({ rows: '=input.rows', fileName: '="March " & 3' }, { rows })).toMatchObject({
    name: 'March 3.csv',
    mediaType: 'text/csv; charset=utf-8',
    text: '\uFEFFn,who,open,more\r\n1,"\'=HYPERLINK(""http://x"")",,\r\n-2,Zoë,true,"{""a"":1}"\r\n',
  });
  expect((await make({ rows: 'input.rows', columns: 'who = Payee\n\n n ' }, { rows })).text).toBe(
    '\uFEFFPayee,n\r\n"\'=HYPERLINK(""http://x"")",1\r\nZoë,-2\r\n',
  );
  expect((await make({ rows: 'input.rows', columns: 'who' }, { rows: [] })).text).toBe('\uFEFFwho\r\n');
});

test('a document that names what is not there is refused, and says what', async () => {
  expect(await faultOf({ rows: '=steps.none.rows' })).toEqual({ key: 'documentNothingThere', values: { expression: 'steps.none.rows' } });
  expect(await faultOf({ rows: '=input.rows', columns: 'b' }, { rows: [{ a: 1 }] })).toEqual({
    key: 'documentNoColumn',
    values: { column: 'b' },
  });
  expect(await faultOf({ rows: '=[1, 2]' })).toMatchObject({ key: 'documentRowsNotTable' });
  expect(await faultOf({ rows: '=[]', fileName: '=steps.none' })).toMatchObject({ key: 'documentNoName' });
  expect(await faultOf({ rows: '=[]', fileName: '...' })).toMatchObject({ key: 'documentNoName' });
  expect(await faultOf({ format: 'html', template: 'Dear {{ input.name }}' })).toEqual({
    key: 'documentNothingThere',
    values: { expression: 'input.name' },
  });
  expect(await faultOf({ format: 'html', template: 'Dear {{ input.name' })).toMatchObject({ key: 'documentOpenBraces' });
  expect(await faultOf({ format: 'html', template: 'Dear {{ input.name }}' }, { name: { first: 'Ada' } })).toMatchObject({
    key: 'documentValueNotText',
  });
  expect(await faultOf({ format: 'html', template: '{{ input.( }}' })).toMatchObject({ key: 'expressionUnreadable' });
  expect(await faultOf({ rows: '=input.rows' }, { rows: Array.from({ length: 800 }, (_, at) => ({ [`k${at}`]: 1 })) })).toMatchObject({
    key: 'documentTooManyCells',
  });
});

test('a template becomes headings, lists, paragraphs and tables', async () => {
  const input: { [name: string]: Json } = {
    name: 'Ada',
    lines: [{ item: 'Desk', price: 480 }, { item: 'Lamp' }],
    tags: ['a', 'b'],
    more: { due: 'May' },
  };
  expect(
    await page(
      '# For {{input.name}}\n\none\ntwo {{ input.tags }}\n\n- x\n- {{ {"a": "y"}.a }}\n{{input.lines}}\n{{input.tags}}\n{{input.more}}',
      input,
    ),
  ).toBe(
    [
      '<h1 dir="auto">For Ada</h1>',
      '<p dir="auto">one\ntwo a, b</p>',
      '<ul><li dir="auto">x</li>',
      '<li dir="auto">y</li></ul>',
      '<table><thead><tr><th scope="col" dir="auto">item</th><th scope="col" dir="auto">price</th></tr></thead><tbody><tr><td dir="auto">Desk</td><td class="number"><bdi>480</bdi></td></tr><tr><td dir="auto">Lamp</td><td></td></tr></tbody></table>',
      '<ul><li dir="auto">a</li><li dir="auto">b</li></ul>',
      '<table><tbody><tr><th scope="row" dir="auto">due</th><td dir="auto">May</td></tr></tbody></table>',
    ].join('\n'),
  );
});

test('a document begins on the side of its first letters, and keeps the order of texts without any', async () => {
  const made = await make(
    { format: 'html', template: '# 12 عرض\n{{input.lines}}\n- 42\n\nQuorate' },
    { lines: [{ البند: 'Lamp', السعر: -480.5, يوم: '2026-03-04' }] },
  );
  expect(made.text).toContain('<html lang="und" dir="rtl">');
  expect(made.text).toContain(
    '<td dir="auto">Lamp</td><td class="number"><bdi>-480.5</bdi></td><td><bdi>2026-03-04</bdi></td></tr></tbody></table>\n' +
      '<ul><li><bdi>42</bdi></li></ul>\n<p dir="auto">Quorate</p>',
  );
  expect((await make({ format: 'html', template: '12\n\nQuorate عرض' })).text).toContain('<html lang="und" dir="ltr">');
});

test('a value with nothing in it leaves nothing', async () => {
  expect(await page('a\n{{input.none}}\n{{input.nobody}}\n{{input.blank}}\nb', { none: [], nobody: {}, blank: [{}] })).toBe(
    '<p dir="auto">a</p>\n<p dir="auto">b</p>',
  );
});

test('a Word document has the same parts as a page', async () => {
  const made = await make(
    { format: 'docx', fileName: 'Offer.docx', template: '## For {{input.name}}\n- x\n{{input.lines}}' },
    { name: 'Ada', lines: [{ item: 'Desk', price: 480 }] },
  );
  expect(made).toMatchObject({
    name: 'Offer.docx',
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  });
  expect(JSON.parse(made.text)).toEqual({
    title: 'Offer',
    flow: [
      { kind: 'heading', level: 2, text: 'For Ada' },
      { kind: 'item', text: 'x' },
      {
        kind: 'table',
        head: ['item', 'price'],
        rows: [
          {
            name: null,
            cells: [
              { text: 'Desk', isNumber: false },
              { text: '480', isNumber: true },
            ],
          },
        ],
      },
    ],
  });
});

test('nothing of a template or of a value is markup', async () => {
  const hostile = `<script>alert(1)</script>"' onload=x <img src=x>&lt;`;
  const made = await make(
    {
      format: 'html',
      fileName: '=input.a',
      template: `# ${hostile}\n- ${hostile}\n{{input.a}} x\n{{input.rows}}\n{{input.list}}\n{{input.rows[0]}}`,
    },
    { a: hostile, rows: [{ [hostile]: hostile }, { x: { [hostile]: [hostile] } }], list: [hostile, true] },
  );
  expect(made.text.match(/<(?:script|img)/)).toBeNull();
  const report = await new HtmlValidate({ extends: ['html-validate:standard'] }).validateString(made.text);
  expect(report.results.flatMap(({ messages }) => messages.map(({ ruleId }) => ruleId)).filter((rule) => rule !== 'long-title')).toEqual(
    [],
  );
  await fc.assert(
    fc.asyncProperty(fc.string(), async (text) => {
      const body = await page('{{input.text}} .', { text: text.replace(/[\0\ud800-\udfff]/g, '') });
      expect(body.replace(/^<p(?: dir="auto")?>(?:<bdi>)?|(?:<\/bdi>)?<\/p>$/g, '')).not.toMatch(/[<>"']/);
    }),
  );
});

test('the name of a file is one that every system can store', () => {
  expect(plainFileName(' ../a/b\\c:*?"<>|\u0000\u202Etxt.csv ')).toBe('-a-b-c-txt.csv');
  expect(plainFileName('con.csv')).toBe('-con.csv');
  expect(plainFileName('...')).toBe('');
  expect(plainFileName(`${'é'.repeat(200)}.csv`)).toBe(`${'é'.repeat(116)}.csv`);
  fc.assert(fc.property(fc.string(), (name) => plainFileName(name).length <= 120 && !/[/\\]/.test(plainFileName(name))));
});
