import { describe, expect, test } from 'vitest';
import type { Catalogue } from '#app/domain/workflows/catalogue.ts';
import { readWorkflowDocument } from '#app/domain/workflows/read-workflow-document.ts';
import {
  EMPTY_WORKFLOW,
  inputJsonSchema,
  WORKFLOW_FORMAT,
  type WorkflowDocument,
  workflowDocumentSchema,
} from '#app/domain/workflows/workflow.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';

const catalogue: Catalogue = {
  connections: [
    { slug: 'tools', protocol: 'mcp' },
    { slug: 'copilot', protocol: 'a2a' },
  ],
  capabilities: [
    {
      connection: 'tools',
      protocol: 'mcp',
      capability: 'screen_name',
      approved: true,
      inputSchema: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          list: { type: 'array' },
          threshold: { type: 'number' },
          mode: { type: 'string', enum: ['strict', 'loose'] },
        },
        required: ['name', 'list'],
        additionalProperties: false,
      },
    },
    { connection: 'tools', protocol: 'mcp', capability: 'fresh', approved: false, inputSchema: null },
  ],
};

const parses = (expression: string) => (expression.includes('((') ? 'unbalanced' : null);

function workflow(steps: unknown[], more: Record<string, unknown> = {}): WorkflowDocument {
  return workflowDocumentSchema.parse({ format: WORKFLOW_FORMAT, input: [{ name: 'text', title: 'Text', type: 'text' }], steps, ...more });
}
const screen = (input: Record<string, string>, more = {}) => ({
  id: 'screen',
  name: 'Screen',
  kind: 'tool',
  connection: 'tools',
  capability: 'screen_name',
  input,
  ...more,
});
const transform = (id: string, expression: string) => ({ id, name: id, kind: 'transform', expression });
const check = (steps: unknown[], more = {}) =>
  checkWorkflow(workflow(steps, more), catalogue, parses).map(({ path, field, key }) => `${path} ${field} ${key}`);

describe('a workflow is refused with the place named', () => {
  test('a name that there is not, in the subject of the runs and in the sentence of an approval', () => {
    const ask = (sentence: string) => [{ id: 'ask', name: 'Ask', kind: 'approval', question: 'Pay?', sentence }];
    expect(check(ask('Pay {{ input.text }}'), { subject: '{{ input.text }}' })).toEqual([]);
    expect(check(ask('Pay {{ input.payee }}'), { subject: '{{ input.payee }}' })).toEqual([
      'ask sentence unknownInput',
      ' subject unknownInput',
    ]);
    expect(check(ask('Pay {{ steps.ask.approved }}'))).toEqual(['ask sentence laterStep', 'ask input cycle']);
    expect(check(ask('Pay {{ input.text'))).toEqual(['ask sentence openPlaceholder']);
  });

  test('a sound workflow has no issues', () => {
    expect(
      check(
        [screen({ name: '=input.text', list: '["Ada"]', threshold: '0.8', mode: 'strict' }), transform('sum', 'steps.screen.matches')],
        { output: '=steps.sum' },
      ),
    ).toEqual([]);
  });
  test('an empty workflow', () => expect(check([])).toEqual([' steps noSteps']));
  test('an unknown connection, tool, or one that is not approved', () => {
    expect(check([screen({}, { connection: 'nowhere' })])).toEqual(['screen capability unknownConnection']);
    expect(check([screen({}, { capability: 'gone' })])).toEqual(['screen capability unknownCapability']);
    expect(check([screen({}, { capability: 'fresh' })])).toEqual(['screen capability capabilityNotApproved']);
    expect(check([screen({}, { connection: 'copilot' })])).toEqual(['screen capability wrongProtocol']);
    expect(check([screen({}, { connection: null, capability: null })])).toEqual(['screen capability noTarget']);
  });
  test('a missing, unknown or wrongly typed mapping', () => {
    expect(check([screen({ name: '=input.text' })])).toEqual(['screen input.list missingMapping']);
    expect(check([screen({ name: 'x', list: '[]', other: '1' })])).toEqual(['screen input.other unknownMapping']);
    expect(check([screen({ name: 'x', list: 'no list', threshold: 'high', mode: 'other' })])).toEqual([
      'screen input.list wrongType',
      'screen input.threshold wrongType',
      'screen input.mode notAllowed',
    ]);
  });
  test('a reference to nothing, to a later step, and a cycle', () => {
    expect(check([transform('a', 'input.nothing')])).toEqual(['a expression unknownInput']);
    expect(check([transform('a', 'steps.nothing')])).toEqual(['a expression unknownStep']);
    expect(check([transform('a', 'steps.b'), transform('b', '1')])).toEqual(['a expression laterStep']);
    expect(check([transform('a', 'steps.b'), transform('b', 'steps.a')])).toEqual(['a expression laterStep', 'a input cycle']);
    expect(check([transform('a', 'steps.a')])).toEqual(['a expression laterStep', 'a input cycle']);
    expect(check([transform('a', '"steps.b and input.nothing"')])).toEqual([]);
  });
  test('a reference across parallel branches', () => {
    const both = {
      id: 'both',
      name: 'Both',
      kind: 'branch',
      mode: 'parallel',
      branches: [
        { label: 'one', steps: [transform('a', '1')] },
        { label: 'two', steps: [transform('b', 'steps.a')] },
      ],
    };
    expect(check([both])).toEqual(['both/two/b expression laterStep']);
    expect(
      check([
        { ...both, branches: [both.branches[0], { label: 'two', steps: [transform('b', '1')] }] },
        transform('c', 'steps.a + steps.b'),
      ]),
    ).toEqual([]);
  });
  test('duplicate ids, branches and fields; a branch nothing can reach; a choice without options', () => {
    expect(check([transform('a', '1'), transform('a', '2')])).toEqual(['a id duplicateId']);
    const branch = {
      id: 'x',
      name: 'x',
      kind: 'branch',
      branches: [
        { label: 'a', when: '', steps: [] },
        { label: 'a', when: '=true', steps: [] },
      ],
    };
    expect(check([branch])).toEqual(['x branches.0.when unreachableBranch', 'x branches.1.label duplicateBranch']);
    const field = { name: 'text', title: 'Text', type: 'choice' };
    expect(check([transform('a', '1')], { input: [field, field] })).toEqual([
      ' input noOptions',
      ' input duplicateField',
      ' input noOptions',
    ]);
  });
  test('an option with something that nobody sees, which is offered without it', () => {
    const field = { name: 'of', title: 'Of', type: 'choice', options: ['a', 'a\u200B', 'b\u{e0041}'] };
    expect(check([transform('a', '1')], { input: [field] })).toEqual([' input hiddenOption']);
    const { properties } = inputJsonSchema(workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, input: [field] }).input);
    expect(properties).toMatchObject({ of: { enum: ['a', 'b'] } });
  });
  test('money in a currency that there is not', () => {
    const field = (options: string[]) => ({ name: 'total', title: 'Total', type: 'money', options });
    expect(check([transform('a', '1')], { input: [field(['EUR', 'EURO'])] })).toEqual([' input unknownCurrency']);
    expect(check([transform('a', '1')], { input: [field(['EUR', 'CHF'])] })).toEqual([]);
  });
  test('a group without fields, the same name twice in one, and more fields than a form holds', () => {
    const field = (name: string, more: object = {}) => ({ name, title: name, type: 'text', ...more });
    const group = (fields: object[]) => field('group', { type: 'group', fields });
    expect(check([transform('a', '1')], { input: [group([])] })).toEqual([' input noGroupFields']);
    expect(check([transform('a', '1')], { input: [field('a'), group([field('a'), field('b')])] })).toEqual([]);
    expect(check([transform('a', '1')], { input: [group([field('a'), field('a')])] })).toEqual([' input duplicateField']);
    const many = Array.from({ length: 50 }, (_, index) => field(`f${index}`));
    expect(check([transform('a', '1')], { input: [group(many)] })).toEqual([' input tooManyFields']);
  });
  test('steps for a bad end that are not the last of the outermost, or hold nothing', () => {
    const cleanup = (steps: unknown[]) => ({
      id: 'end',
      name: 'End',
      kind: 'cleanup',
      branches: [
        { label: 'on_failure', steps },
        { label: 'on_cancel', steps: [] },
      ],
    });
    expect(check([transform('a', '1'), cleanup([transform('b', 'steps.a')])])).toEqual([]);
    expect(check([cleanup([transform('b', '1')]), transform('a', '1')])).toEqual(['end branches cleanupPlace']);
    expect(check([transform('a', '1'), cleanup([])])).toEqual(['end branches emptyCleanup']);
    const branches = [{ label: 'x', when: '', steps: [cleanup([transform('b', '1')])] }];
    expect(check([{ id: 'fork', name: 'Fork', kind: 'branch', mode: 'choose', branches }])).toContain('fork/x/end branches cleanupPlace');
  });
  test('an expression that does not parse', () => expect(check([transform('a', '((')])).toEqual(['a expression badExpression']));
  test('2 MB of JSON, no JSON, and JSON that is no workflow', () => {
    expect(readWorkflowDocument('"'.padEnd(2_000_000, 'x'))).toMatchObject({ issues: [{ key: 'tooLarge' }] });
    const branch = ['[{"id":"b","name":"B","kind":"branch","branches":[{"label":"x","steps":', '}]}]'].map((text) => text.repeat(3_000));
    expect(readWorkflowDocument(`{"format":"quorate.workflow/1","steps":${branch.join('[]')}}`)).toMatchObject({
      issues: [{ key: 'tooDeep' }],
    });
    expect(readWorkflowDocument('{')).toMatchObject({ issues: [{ key: 'notAWorkflow' }] });
    expect(readWorkflowDocument('{"format":"quorate.workflow/1","steps":[{"kind":"magic"}]}')).toMatchObject({
      issues: [{ field: 'steps.0' }],
    });
    expect(readWorkflowDocument('{"format":"quorate.workflow/1"}')).toMatchObject({ document: { steps: [] } });
  });
});

test('programs are told the shape of lists and groups, with what must be in them', () => {
  const plain = { title: 'T', type: 'text' };
  const lines = { name: 'lines', title: 'Lines', type: 'list', of: 'group', fields: [{ ...plain, name: 'item' }] };
  const tags = { name: 'tags', title: 'Tags', type: 'list', required: false };
  const { input } = workflowDocumentSchema.parse({ ...EMPTY_WORKFLOW, input: [lines, tags] });
  expect(inputJsonSchema(input)).toMatchObject({
    properties: {
      lines: { type: 'array', minItems: 1, maxItems: 100, items: { type: 'object', required: ['item'], additionalProperties: false } },
      tags: { type: 'array', items: { type: 'string', minLength: 1 } },
    },
    required: ['lines'],
  });
});
