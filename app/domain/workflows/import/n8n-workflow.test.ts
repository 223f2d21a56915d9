import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readN8nGraph } from '#app/domain/workflows/import/n8n-graph.ts';
import { convertN8n } from '#app/domain/workflows/import/n8n-workflow.ts';
import { readWorkflowFile } from '#app/domain/workflows/import/workflow-file.ts';
import { walkSteps } from '#app/domain/workflows/paths/walk-steps.ts';
import type { Step } from '#app/domain/workflows/steps/step.ts';
import { checkWorkflow } from '#app/domain/workflows/workflow-check.ts';
import { parseExpression } from '#app/engine/runs/expressions/evaluate.ts';
import { n8nFile, outlineOf } from '#tests/support/n8n/structure.ts';
import { N8N_TEMPLATES } from '#tests/support/n8n/templates.ts';

type Node = { name: string; type: string; parameters?: { [name: string]: unknown }; [field: string]: unknown };

/** Nodes one after the other, behind a trigger. */
function chain(...nodes: Node[]) {
  const all = [{ name: 'Start', type: 'n8n-nodes-base.webhook' }, ...nodes];
  const connections = Object.fromEntries(
    all.slice(0, -1).map(({ name }, index) => [name, { main: [[{ node: all[index + 1]?.name ?? '' }]] }]),
  );
  return convert({ name: 'Chain', nodes: all, connections });
}

function convert(json: unknown) {
  const graph = readN8nGraph(json);
  if (graph === null) throw new Error('no workflow of n8n');
  return convertN8n(graph);
}

/** Whether a node was taken over, or is named among what was not. */
function isAccountedFor({ document, notes }: ReturnType<typeof convert>, name: string): boolean {
  return notes.some((note) => note.name === name) || [...walkSteps(document.steps)].some(({ step }) => step.name === name);
}

describe('public templates', () => {
  test.each(N8N_TEMPLATES)('$template', ({ nodes, ways, outline }) => {
    const file = n8nFile(nodes, ways);
    const converted = convert(file);
    expect(outlineOf(converted.document.steps)).toBe(outline);
    const read = readWorkflowFile(JSON.stringify(converted.document));
    expect('issues' in read ? read.issues : []).toEqual([]);
    const lost = file.nodes.filter(({ name, type }) => !/noOp$/.test(type) && !isAccountedFor(converted, name));
    expect(lost).toEqual([]);
  });

  test('are forty at least', () => expect(N8N_TEMPLATES.length).toBeGreaterThanOrEqual(40));
});

test('whatever leads where: the document is valid, and no node is lost in silence', () => {
  const kinds = [
    'set',
    'httpRequest',
    'if',
    'switch',
    'filter',
    'merge',
    'splitInBatches',
    'slack',
    'lc.agent',
    'webhook',
    'code!',
    'wait',
  ];
  const graphs = fc.record({
    nodes: fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 14 }),
    ways: fc.array(fc.tuple(fc.nat(13), fc.nat(2), fc.nat(13)), { maxLength: 30 }),
  });
  fc.assert(
    fc.property(graphs, ({ nodes, ways }) => {
      const within = ways.filter(([from, , to]) => from <= nodes.length && to < nodes.length + 1);
      const file = n8nFile(
        `manualTrigger ${nodes.join(' ')}`,
        `0>1 ${within.map(([from, output, to]) => `${from}.${output}>${to}`).join(' ')}`,
      );
      const converted = convert(file);
      expect([...walkSteps(converted.document.steps)].length).toBeLessThanOrEqual(200);
      const read = readWorkflowFile(JSON.stringify(converted.document));
      expect('issues' in read ? read.issues : []).toEqual([]);
      for (const { name } of file.nodes) expect(isAccountedFor(converted, name), name).toBe(true);
    }),
    { numRuns: 400 },
  );
});

describe('what a node becomes', () => {
  const set = (name: string, values: { [name: string]: string }) => ({
    name,
    type: 'n8n-nodes-base.set',
    parameters: { assignments: { assignments: Object.entries(values).map(([key, value]) => ({ name: key, value })) } },
  });
  const stepOf = (node: Node, ...before: Node[]): Step => {
    const { steps } = chain(...before, node).document;
    return steps.at(-1) as Step;
  };

  test('names of data go over, of the step before and of others', () => {
    const { document, notes } = chain(
      set('First', { mail: '={{ $json.body.email }}', text: 'Hello {{ no }}' }),
      set('Second one', { to: '={{ $json.mail }}', 'a b': "={{ $('First').item.json['mail'] }}", line: '=To {{ $json.mail }}!' }),
    );
    expect(document.steps.map((step) => step.kind === 'transform' && step.expression)).toEqual([
      '{ "mail": input.email, "text": "Hello {{ no }}" }',
      '{ "to": steps.first.mail, "a b": steps.first.mail, "line": "To " & $string(steps.first.mail) & "!" }',
    ]);
    expect(document.input.map(({ name, type }) => ({ name, type }))).toEqual([{ name: 'email', type: 'text' }]);
    expect(notes.map(({ name, key }) => ({ name, key }))).toEqual([
      { name: 'Start', key: 'trigger' },
      { name: '', key: 'input' },
    ]);
    expect(checkWorkflow(document, { connections: [], capabilities: [] } as never, parseExpression)).toEqual([]);
  });

  test('code and other expressions stay as comments, which nobody can publish', () => {
    const code = { name: 'Count', type: 'n8n-nodes-base.code', parameters: { jsCode: 'return items.map(/* each */ x => x);' } };
    const { document, notes } = chain(code, set('Later', { n: '={{ $json.list.map(x => x.n) }}' }));
    expect(document.steps[0]).toMatchObject({ kind: 'transform', expression: '/* return items.map(/* each * / x => x); */' });
    expect(notes.map(({ key }) => key)).toEqual(['trigger', 'code', 'expression']);
    const issues = checkWorkflow(document, { connections: [], capabilities: [] } as never, parseExpression);
    expect(issues.map(({ path, key }) => ({ path, key }))).toEqual([
      { path: 'count', key: 'badExpression' },
      { path: 'later', key: 'badExpression' },
    ]);
  });

  test('a call keeps its values, its attempts and what an error does, and has no target', () => {
    const http = {
      name: 'Look up',
      type: 'n8n-nodes-base.httpRequest',
      parameters: { url: '=https://api.example.com/{{ $json.id }}', method: 'GET', options: { timeout: 1 } },
      retryOnFail: true,
      maxTries: 4,
      onError: 'continueRegularOutput',
    };
    expect(stepOf(http)).toMatchObject({
      kind: 'http',
      connection: null,
      capability: null,
      task: 'GET =https://api.example.com/{{ $json.id }}',
      input: { path: '="/" & $string(input.id)' },
      retries: 3,
      onError: 'continue',
    });
  });

  test('waits, approvals, models and thrown errors', () => {
    const base = 'n8n-nodes-base.';
    expect(stepOf({ name: 'W', type: `${base}wait`, parameters: { amount: 2, unit: 'days' } })).toMatchObject({
      mode: 'for',
      seconds: 172_800,
    });
    expect(stepOf({ name: 'W', type: `${base}wait`, parameters: { resume: 'webhook' } })).toMatchObject({ mode: 'event', seconds: 86_400 });
    expect(stepOf({ name: 'A', type: `${base}slack`, parameters: { operation: 'sendAndWait', message: 'Pay?' } })).toMatchObject({
      kind: 'approval',
      question: 'Pay?',
    });
    expect(
      stepOf({
        name: 'M',
        type: '@n8n/n8n-nodes-langchain.agent',
        parameters: { text: '={{ $json.q }}', options: { systemMessage: 'Be brief.' } },
      }),
    ).toMatchObject({ kind: 'model', connection: null, input: { prompt: '=input.q', system: 'Be brief.' } });
    expect(stepOf({ name: 'E', type: `${base}stopAndError`, parameters: { errorMessage: 'No payee' } })).toMatchObject({
      expression: '$error("No payee")',
    });
  });

  test('conditions of both generations', () => {
    const ifNode = (parameters: { [name: string]: unknown }) => ({ name: 'Check', type: 'n8n-nodes-base.if', parameters });
    const whenOf = (parameters: { [name: string]: unknown }) => {
      const step = stepOf(ifNode(parameters));
      return step.kind === 'branch' ? step.branches[0]?.when : null;
    };
    const newer = (operation: string, rightValue: unknown) => ({
      conditions: { combinator: 'and', conditions: [{ leftValue: '={{ $json.n }}', rightValue, operator: { operation } }] },
    });
    expect(whenOf(newer('gt', 3))).toBe('=input.n > 3');
    expect(whenOf(newer('notEmpty', ''))).toBe('=$boolean(input.n)');
    expect(whenOf(newer('regex', '^a'))).toMatch(/^=\/\* \{.*regex.*\} \*\/$/);
    const older = {
      conditions: {
        string: [{ value1: '={{ $json.a }}', value2: 'x' }],
        number: [{ value1: '={{ $json.b }}', operation: 'larger', value2: 2 }],
      },
    };
    expect(whenOf({ ...older, combineOperation: 'any' })).toBe('=(input.a = "x") or (input.b > 2)');
  });
});

describe('what would mean something else stays to be written', () => {
  const left = (...nodes: Node[]) => chain(...nodes).document.steps.map((step) => JSON.stringify(step).includes('/* '));
  const when = (operator: { [name: string]: string }, options = {}) => ({
    name: 'Check',
    type: 'n8n-nodes-base.if',
    parameters: { conditions: { options, conditions: [{ leftValue: '={{ $json.n }}', rightValue: 'a', operator }] } },
  });
  const set = (field: { [name: string]: unknown }) => ({
    name: 'Set',
    type: 'n8n-nodes-base.set',
    parameters: { assignments: { assignments: [field] } },
  });

  test('comparisons that the two languages read differently', () => {
    expect(left(when({ type: 'number', operation: 'notEmpty' }))).toEqual([true]);
    expect(left(when({ type: 'array', operation: 'contains' }))).toEqual([true]);
    expect(left(when({ type: 'string', operation: 'equals' }, { caseSensitive: false }))).toEqual([true]);
    expect(left(when({ type: 'string', operation: 'equals' }, { caseSensitive: true }))).toEqual([false]);
  });

  test('fields within fields, and text where a value of another type is meant', () => {
    expect(left(set({ name: 'a.b', value: 'x' }))).toEqual([true]);
    expect(left(set({ name: 'a', type: 'number', value: 'many' }))).toEqual([true]);
    const steps = chain(set({ name: 'a', type: 'number', value: '5' })).document.steps;
    expect(steps[0]).toMatchObject({ expression: '{ "a": 5 }' });
  });

  test('lists and groups of a call', () => {
    const call = {
      name: 'Call',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4,
      parameters: { url: 'https://a.example', sendBody: true, bodyParameters: { parameters: [{ name: 'x' }] } },
    };
    const { document, notes } = chain(call);
    expect(document.steps[0]).toMatchObject({
      kind: 'http',
      task: 'GET https://a.example/',
      input: { path: '/', body: '={ "x": "" }' },
    });
    expect(notes.map(({ key }) => key)).toEqual(['trigger', 'http']);
  });

  test('a request keeps path, parameters, headers and body; its credential is the connection’s, and later steps read its body', () => {
    const call = {
      name: 'Look up',
      type: 'n8n-nodes-base.httpRequest',
      typeVersion: 4.2,
      parameters: {
        method: 'POST',
        url: 'https://user:secret@a.example/v1/orders?open=1',
        sendQuery: true,
        sendHeaders: true,
        sendBody: true,
        queryParameters: { parameters: [{ name: 'page', value: '={{ $json.page }}' }] },
        headerParameters: {
          parameters: [
            { name: 'X-Trace', value: 'a' },
            { name: 'Authorization', value: 'Bearer secret' },
          ],
        },
        bodyParameters: { parameters: [{ name: 'id', value: '={{ $json.id }}' }] },
      },
    };
    const set = {
      name: 'Keep',
      type: 'n8n-nodes-base.set',
      parameters: { assignments: { assignments: [{ name: 'total', type: 'number', value: '={{ $json.total }}' }] } },
    };
    const { document, notes } = chain(call, set);
    expect(document.steps).toMatchObject([
      {
        kind: 'http',
        task: 'POST https://a.example/v1/orders',
        input: {
          path: '/v1/orders',
          'query.open': '1',
          'query.page': '=input.page',
          'headers.X-Trace': 'a',
          body: '={ "id": input.id }',
        },
      },
      { kind: 'transform', expression: '{ "total": steps.look_up.body.total }' },
    ]);
    expect(JSON.stringify(document.steps)).not.toContain('secret');
    // That a header was left out is said.
    expect(notes.map(({ key }) => key)).toEqual(['trigger', 'http', 'expression', 'input']);
  });

  test('what a request of the node does not send is not sent, and what cannot be said as a mapping stays to be written', () => {
    const request = (parameters: { [name: string]: unknown }, typeVersion = 4) => {
      const call = {
        name: 'C',
        type: 'n8n-nodes-base.httpRequest',
        typeVersion,
        parameters: { url: 'https://a.example/x', ...parameters },
      };
      const { document, notes } = chain(call);
      const { input } = document.steps[0] as { input: Record<string, string> };
      return { ...input, isWhole: notes.every(({ key }) => key !== 'expression') };
    };
    const bodyParameters = { parameters: [{ name: 'id', value: '5' }] };
    expect(request({ bodyParameters })).toEqual({ path: '/x', isWhole: true });
    expect(request({ sendBody: true, contentType: 'form-urlencoded', bodyParameters })).toEqual({
      path: '/x',
      'headers.Content-Type': 'application/x-www-form-urlencoded',
      body: '={ "id": "5" }',
      isWhole: true,
    });
    expect(request({ sendHeaders: true, specifyHeaders: 'json', jsonHeaders: '{"X-A": "b"}' })).toEqual({
      path: '/x',
      'headers.X-A': 'b',
      isWhole: true,
    });
    const older = { jsonParameters: true, queryParametersJson: '{"q": "1"}', bodyParametersJson: '={{ $json.b }}' };
    expect(request(older, 1)).toEqual({ path: '/x', 'query.q': '1', body: '=input.b', isWhole: true });
    const files = request({ sendBody: true, contentType: 'multipart-form-data', bodyParameters });
    expect(files).toMatchObject({ path: '/x', isWhole: false });
    expect(files).toHaveProperty('body', expect.stringContaining('multipart-form-data'));
    const pages = request({ options: { pagination: { pagination: { paginationMode: 'updateAParameterInEachRequest' } } } });
    expect(pages).toHaveProperty('body', expect.stringContaining('updateAParameterInEachRequest'));
    expect(pages.isWhole).toBe(false);
  });

  test('a wait without its values means what its version means', () => {
    const wait = (typeVersion: number) => chain({ name: 'W', type: 'n8n-nodes-base.wait', typeVersion }).document.steps[0];
    expect(wait(1)).toMatchObject({ seconds: 3_600 });
    expect(wait(1.1)).toMatchObject({ seconds: 5 });
  });

  test('a condition that is switched off lets through what its first answer would', () => {
    const file = n8nFile('webhook if slack gmail', '0>1 1>2 1.1>3');
    const { document, notes } = convert({ ...file, nodes: file.nodes.map((node) => ({ ...node, disabled: node.name === 'if 1' })) });
    expect(document.steps.map(({ name }) => name)).toEqual(['slack 2']);
    expect(notes).toContainEqual({ name: 'gmail 3', kind: 'gmail', key: 'unreached' });
  });
});

describe('where ways part', () => {
  test('ways that go round for ever meet nowhere', () => {
    const { document } = convert(n8nFile('webhook if slack wait gmail merge', '0>1 1>2 2>3 3>2 1.1>4 4>5 5>4'));
    expect(outlineOf(document.steps)).toBe('choose(yes: tool wait | otherwise: tool)');
  });

  test('what follows ways of which one ends stands in each way that goes on', () => {
    const converted = convert(n8nFile('webhook if slack gmail telegram', '0>1 1>2 2>4'));
    expect(outlineOf(converted.document.steps)).toBe('choose(yes: tool tool | otherwise: )');
    expect(converted.notes).toContainEqual({ name: 'gmail 3', kind: 'gmail', key: 'unreached' });
  });

  test('triggers that lead elsewhere are ways of which one is taken, and nothing runs unasked', () => {
    const { document } = convert(n8nFile('webhook scheduleTrigger slack gmail', '0>2 1>3'));
    expect(document.steps[0]).toMatchObject({
      kind: 'branch',
      mode: 'choose',
      branches: [{ when: '=/* slack 2 */' }, { when: '=/* gmail 3 */' }],
    });
  });

  test('a list in batches becomes a loop, a way for errors an error handling', () => {
    expect(outlineOf(convert(n8nFile('webhook splitInBatches slack gmail', '0>1 1.1>2 2>1 1>3')).document.steps)).toBe(
      'for_each(each: tool) tool',
    );
    expect(outlineOf(convert(n8nFile('webhook slack! gmail telegram', '0>1 1>2 1.1>3')).document.steps)).toBe(
      'try(steps: tool tool | on_error: tool)',
    );
  });

  test('a way back that is no loop is named', () => {
    const { document, notes } = convert(n8nFile('webhook slack wait', '0>1 1>2 2>1'));
    expect(outlineOf(document.steps)).toBe('tool wait');
    expect(notes.map(({ key }) => key)).toContain('backwards');
  });
});

test('a file made to be slow ends, with as many steps as a workflow may have', () => {
  const count = 900;
  const nodes = Array.from({ length: count }, (_, n) => (n === 0 ? 'webhook' : n % 3 === 0 ? 'if' : 'noOp')).join(' ');
  const ways = Array.from({ length: count - 30 }, (_, n) =>
    Array.from({ length: 12 }, (_, k) => `${n}.${k % 2}>${n + 1 + ((k * 7) % 29)}`),
  ).flat();
  const file = n8nFile(nodes, ways.join(' '));
  const converted = convert(file);
  expect([...walkSteps(converted.document.steps)].length).toBeLessThanOrEqual(200);
  const braces = chain({ name: 'B', type: 'n8n-nodes-base.slack', parameters: { text: `=${'{{'.repeat(200_000)}` } });
  expect(braces.document.steps).toHaveLength(1);
});
