import { expect, test } from 'vitest';
import { readWorkflowFile, writeWorkflowFile } from '#app/domain/workflows/import/workflow-file.ts';
import { WORKFLOW_TEMPLATES } from '#app/domain/workflows/workflow-templates.ts';

/** As a database or another program may give it back: the same, with its members in another order. */
function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
}

test.each(WORKFLOW_TEMPLATES)(
  '$id: written, read and written again it is the same bytes, in whatever order its members come',
  ({ id, document }) => {
    const text = writeWorkflowFile({ name: id, description: 'What it does.', document });
    expect(text.endsWith('}\n')).toBe(true);
    for (const given of [text, JSON.stringify(shuffled(JSON.parse(text)))]) {
      const read = readWorkflowFile(given);
      if ('issues' in read) throw new Error(JSON.stringify(read.issues));
      expect(read).toMatchObject({ from: 'quorate', name: id, description: 'What it does.', notes: [] });
      expect(writeWorkflowFile(read)).toBe(text);
    }
  },
);

test.each([
  ['', 'notAWorkflow'],
  ['[]', 'notAWorkflow'],
  ['{"format":"quorate.workflow/2"}', 'notAWorkflow'],
  ['{"nodes":[{"name":"x"}]}', 'notAWorkflow'],
  [`{"format":"quorate.workflow/1","output":"${'x'.repeat(300_000)}"}`, 'tooLarge'],
])('%.40s is refused', (text, key) => {
  const read = readWorkflowFile(text);
  expect('issues' in read && read.issues[0]?.key).toBe(key);
});

test('a file may be larger than its document by its white space', () => {
  const step = (n: number) => ({
    id: `step_${n}`,
    name: `Step ${n}`,
    kind: 'transform',
    expression: `{ "part": ${n}, "text": "${'x'.repeat(1_080)}" }`,
  });
  const document = { format: 'quorate.workflow/1', steps: Array.from({ length: 200 }, (_, n) => step(n)) };
  const read = readWorkflowFile(JSON.stringify(document));
  if ('issues' in read) throw new Error(JSON.stringify(read.issues));
  const text = writeWorkflowFile({ ...read, name: 'Large' });
  expect(text.length).toBeGreaterThan(262_144);
  const again = readWorkflowFile(text);
  expect('issues' in again ? again.issues : writeWorkflowFile(again)).toBe(text);
});

test('a name that is none is left out, and one that is too long is cut', () => {
  const read = readWorkflowFile(`{"format":"quorate.workflow/1","name":7,"description":"${'y'.repeat(3_000)}"}`);
  expect(read).toMatchObject({ name: '', description: 'y'.repeat(2_000) });
});

test('characters that hide are seen in the file, and mean the same', () => {
  const text = writeWorkflowFile({ name: 'a\u202Eb', description: '', document: WORKFLOW_TEMPLATES[0]?.document as never });
  expect(text).toContain('a\\u202eb');
  expect(readWorkflowFile(text)).toMatchObject({ name: 'a\u202Eb' });
});
