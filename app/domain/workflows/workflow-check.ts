/**
 * What is wrong with a workflow document, place by place, before it may be published or run. Pure: the catalogue of
 * what is connected and the parser of expressions come from the caller.
 */
import { assertNever } from '#app/domain/assert-never.ts';
import { hidesText } from '#app/domain/connections/hidden-text.ts';
import type { Json } from '#app/domain/tables.ts';
import { isTooDeep } from '#app/domain/web/json-depth.ts';
import {
  type Step,
  WORKFLOW_MAX_BYTES,
  WORKFLOW_MAX_DEPTH,
  WORKFLOW_MAX_STEPS,
  type WorkflowDocument,
  walkSteps,
  workflowDocumentSchema,
} from '#app/domain/workflows/workflow.ts';

/** `path` is the step's place ('' for the workflow itself), `field` the form field, `key` one of `validation.workflow`. */
export type WorkflowIssue = { path: string; field: string; key: WorkflowIssueKey; values: Record<string, string | number> };

export type WorkflowIssueKey =
  | 'tooLarge'
  | 'notAWorkflow'
  | 'noSteps'
  | 'tooManySteps'
  | 'tooDeep'
  | 'duplicateId'
  | 'duplicateBranch'
  | 'duplicateField'
  | 'noOptions'
  | 'hiddenOption'
  | 'unknownConnection'
  | 'unknownCapability'
  | 'capabilityNotApproved'
  | 'wrongProtocol'
  | 'noTarget'
  | 'noModel'
  | 'badSchema'
  | 'missingMapping'
  | 'unknownMapping'
  | 'wrongType'
  | 'notAllowed'
  | 'badExpression'
  | 'unknownInput'
  | 'unknownStep'
  | 'laterStep'
  | 'cycle'
  | 'unreachableBranch';

/** What a connection speaks, which is its kind; `agent`: no connection, but the workspace's own agents. */
export type CatalogueProtocol = 'mcp' | 'a2a' | 'model' | 'app' | 'agent';

/** Whose capabilities a kind of step may name. */
export const STEP_PROTOCOLS: Readonly<Record<'tool' | 'agent' | 'model', readonly CatalogueProtocol[]>> = {
  tool: ['mcp', 'app'],
  agent: ['a2a', 'agent'],
  model: ['model'],
};

export type CatalogueEntry = {
  connection: string;
  protocol: CatalogueProtocol;
  capability: string;
  approved: boolean;
  inputSchema: Json | null;
};

export type Catalogue = { connections: readonly { slug: string; protocol: CatalogueProtocol }[]; capabilities: readonly CatalogueEntry[] };

/** Answers the fault of an expression, or null when it parses. */
export type ParseExpression = (expression: string) => string | null;

/**
 * Reads a document from JSON text of unknown origin. Over the limit it is refused unread.
 * @returns the document, or the issues with the place in the JSON as `path`
 */
export function readWorkflowDocument(text: string): { document: WorkflowDocument } | { issues: WorkflowIssue[] } {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > WORKFLOW_MAX_BYTES)
    return { issues: [{ path: '', field: 'document', key: 'tooLarge', values: { bytes, max: WORKFLOW_MAX_BYTES } }] };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return {
      issues: [
        { path: '', field: 'document', key: 'notAWorkflow', values: { detail: error instanceof Error ? error.message.slice(0, 200) : '' } },
      ],
    };
  }
  if (isTooDeep(json)) return { issues: [{ path: '', field: 'document', key: 'tooDeep', values: { max: WORKFLOW_MAX_DEPTH } }] };
  const parsed = workflowDocumentSchema.safeParse(json);
  if (parsed.success) {
    const issues = duplicateIds(parsed.data);
    return issues.length > 0 ? { issues } : { document: parsed.data };
  }
  return {
    issues: parsed.error.issues.slice(0, 20).map((issue) => ({
      path: '',
      field: issue.path.map(String).join('.') || 'document',
      key: 'notAWorkflow' as const,
      values: { detail: issue.path.map(String).join('.') || issue.code },
    })),
  };
}

function duplicateIds(document: WorkflowDocument): WorkflowIssue[] {
  const seen = new Set<string>();
  return [...walkSteps(document.steps)].flatMap(({ step, path }): WorkflowIssue[] => {
    if (seen.has(step.id)) return [{ path, field: 'id', key: 'duplicateId', values: { id: step.id } }];
    seen.add(step.id);
    return [];
  });
}

/** Every issue of a document; empty: it may be published. */
export function checkWorkflow(document: WorkflowDocument, catalogue: Catalogue, parseExpression: ParseExpression): WorkflowIssue[] {
  const issues: WorkflowIssue[] = [];
  const report = (path: string, field: string, key: WorkflowIssueKey, values: WorkflowIssue['values'] = {}) =>
    issues.push({ path, field, key, values });

  const steps = [...walkSteps(document.steps)];
  if (steps.length === 0) report('', 'steps', 'noSteps');
  if (steps.length > WORKFLOW_MAX_STEPS) report('', 'steps', 'tooManySteps', { max: WORKFLOW_MAX_STEPS });
  checkInputFields(document, report);

  issues.push(...duplicateIds(document));
  const orderOf = new Map<string, number>();
  const pathOf = new Map<string, string>();
  for (const [index, { step, path }] of steps.entries()) {
    if (orderOf.has(step.id)) continue;
    orderOf.set(step.id, index);
    pathOf.set(step.id, path);
  }
  const inputNames = new Set(document.input.map((field) => field.name));
  const references = new Map<string, Set<string>>();

  const checkExpression = (path: string, field: string, expression: string, from: { id: string; index: number } | null) => {
    const fault = parseExpression(expression);
    if (fault !== null) {
      report(path, field, 'badExpression', { detail: fault });
      return;
    }
    for (const name of namesAfter('input', expression)) if (!inputNames.has(name)) report(path, field, 'unknownInput', { name });
    for (const name of namesAfter('steps', expression)) {
      const order = orderOf.get(name);
      if (order === undefined) report(path, field, 'unknownStep', { name });
      else if (from !== null) {
        references.set(from.id, (references.get(from.id) ?? new Set()).add(name));
        const target = pathOf.get(name) ?? '';
        if (order >= from.index || areSiblingsInBranches(path, target)) report(path, field, 'laterStep', { name });
      }
    }
  };

  for (const [index, { step, path, depth }] of steps.entries()) {
    // a path holds two parts for each level of nesting
    if (Math.ceil(depth / 2) > WORKFLOW_MAX_DEPTH) report(path, 'id', 'tooDeep', { max: WORKFLOW_MAX_DEPTH });
    checkStep(step, path, catalogue, report, (field, expression) => checkExpression(path, field, expression, { id: step.id, index }));
  }
  for (const cycle of cyclesOf(references))
    report(pathOf.get(cycle[0] ?? '') ?? '', 'input', 'cycle', { steps: [...cycle, cycle[0] ?? ''].join(' → ') });
  if (document.output.trim() !== '') checkExpression('', 'output', stripMark(document.output), null);
  return issues;
}

type Report = (path: string, field: string, key: WorkflowIssueKey, values?: WorkflowIssue['values']) => void;

function checkInputFields(document: WorkflowDocument, report: Report): void {
  const seen = new Set<string>();
  for (const field of document.input) {
    if (seen.has(field.name)) report('', 'input', 'duplicateField', { name: field.name });
    seen.add(field.name);
    if (field.type === 'choice' && field.options.length === 0) report('', 'input', 'noOptions', { name: field.name });
    if (field.type === 'choice' && field.options.some(hidesText)) report('', 'input', 'hiddenOption', { name: field.name });
  }
}

function checkStep(
  step: Step,
  path: string,
  catalogue: Catalogue,
  report: Report,
  expression: (field: string, text: string) => void,
): void {
  for (const [name, value] of Object.entries(mappingsOf(step))) if (isExpression(value)) expression(`input.${name}`, stripMark(value));
  switch (step.kind) {
    case 'tool':
    case 'agent':
      checkTarget(step, path, catalogue, report);
      return;
    case 'model':
      if (step.connection === null || step.capability === null) report(path, 'target', 'noModel');
      else checkTarget(step, path, catalogue, report);
      if (step.schema.trim() !== '' && !isSchemaText(step.schema)) report(path, 'schema', 'badSchema');
      return;
    case 'transform':
      expression('expression', stripMark(step.expression));
      return;
    case 'branch': {
      const labels = new Set<string>();
      for (const [index, branch] of step.branches.entries()) {
        if (labels.has(branch.label)) report(path, `branches.${index}.label`, 'duplicateBranch', { label: branch.label });
        labels.add(branch.label);
        if (step.mode === 'choose' && branch.when.trim() !== '') expression(`branches.${index}.when`, stripMark(branch.when));
        if (step.mode === 'choose' && branch.when.trim() === '' && index < step.branches.length - 1)
          report(path, `branches.${index}.when`, 'unreachableBranch', { label: branch.label });
      }
      return;
    }
    case 'approval':
      return;
    default:
      assertNever(step);
  }
}

/** The mappings of a step by name: the input of a call, or what an approver is shown. */
function mappingsOf(step: Step): Record<string, string> {
  switch (step.kind) {
    case 'tool':
    case 'agent':
    case 'model':
      return step.input;
    case 'approval':
      return step.show;
    case 'transform':
    case 'branch':
      return {};
    default:
      return assertNever(step);
  }
}

function isSchemaText(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && 'type' in parsed && parsed.type === 'object';
  } catch {
    return false;
  }
}

function checkTarget(step: Extract<Step, { kind: 'tool' | 'agent' | 'model' }>, path: string, catalogue: Catalogue, report: Report): void {
  if (step.capability === null || step.connection === null) {
    if (step.task.trim() === '') report(path, 'capability', 'noTarget');
    return;
  }
  const connection = catalogue.connections.find((candidate) => candidate.slug === step.connection);
  if (connection === undefined) {
    report(path, 'capability', 'unknownConnection', { connection: step.connection });
    return;
  }
  if (!STEP_PROTOCOLS[step.kind].includes(connection.protocol)) {
    report(path, 'capability', 'wrongProtocol', { connection: step.connection });
    return;
  }
  const entry = catalogue.capabilities.find(
    (candidate) => candidate.connection === step.connection && candidate.capability === step.capability,
  );
  if (entry === undefined) {
    report(path, 'capability', 'unknownCapability', { capability: step.capability, connection: step.connection });
    return;
  }
  if (!entry.approved) report(path, 'capability', 'capabilityNotApproved', { capability: step.capability });
  checkMappings(step.input, entry.inputSchema, path, report);
}

/** Checks a mapping against the JSON Schema of a tool's input: names, required fields, and the type of each literal. */
function checkMappings(input: Record<string, string>, schema: Json | null, path: string, report: Report): void {
  if (schema === null || typeof schema !== 'object' || Array.isArray(schema)) return;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  for (const name of required) {
    if (typeof name === 'string' && (input[name] ?? '').trim() === '') report(path, `input.${name}`, 'missingMapping', { name });
  }
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      if (schema.additionalProperties === false) report(path, `input.${name}`, 'unknownMapping', { name });
      continue;
    }
    if (isExpression(value) || value === '' || !isObject(property)) continue;
    if (Array.isArray(property.enum) && !property.enum.map(String).includes(value))
      report(path, `input.${name}`, 'notAllowed', { name, allowed: property.enum.map(String).join(', ').slice(0, 200) });
    else if (!literalFits(value, property.type)) report(path, `input.${name}`, 'wrongType', { name, type: String(property.type) });
  }
}

function literalFits(value: string, type: Json | undefined): boolean {
  if (type === 'number') return value.trim() !== '' && Number.isFinite(Number(value));
  if (type === 'integer') return /^-?\d+$/.test(value.trim());
  if (type === 'boolean') return value === 'true' || value === 'false';
  if (type === 'array' || type === 'object') {
    try {
      const parsed: unknown = JSON.parse(value);
      return type === 'array' ? Array.isArray(parsed) : parsed !== null && typeof parsed === 'object' && !Array.isArray(parsed);
    } catch {
      return false;
    }
  }
  return true;
}

function isObject(value: Json | undefined): value is { [key: string]: Json } {
  return value !== undefined && value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** A mapping's value that begins with `=` is an expression. */
export function isExpression(value: string): boolean {
  return value.trimStart().startsWith('=');
}

/** The expression without its mark; a transform or a condition may be written with or without it. */
export function stripMark(value: string): string {
  const text = value.trimStart();
  return text.startsWith('=') ? text.slice(1) : text;
}

/** Names that an expression takes from `input` or `steps`: `steps.a.b` and `steps["a"]`; texts in quotes do not count. */
function namesAfter(root: 'input' | 'steps', expression: string): Set<string> {
  const names = new Set<string>();
  const bare = expression.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g, (text, offset: number) =>
    expression[offset - 1] === '[' ? text : '""',
  );
  const pattern = new RegExp(`(?<![\\w.$\`])${root}(?:\\.([a-z][a-z0-9_]*)|\\[["']([a-z][a-z0-9_]*)["']\\])`, 'g');
  for (const match of bare.matchAll(pattern)) names.add(match[1] ?? match[2] ?? '');
  return names;
}

/** True when two places lie in different branches of one branch step: neither runs before the other. */
function areSiblingsInBranches(a: string, b: string): boolean {
  const left = a.split('/');
  const right = b.split('/');
  let i = 0;
  while (i < left.length && i < right.length && left[i] === right[i]) i += 1;
  // odd places are branch labels
  return i % 2 === 1 && i < left.length && i < right.length;
}

function cyclesOf(references: Map<string, Set<string>>): string[][] {
  const cycles: string[][] = [];
  const state = new Map<string, 'open' | 'done'>();
  const visit = (id: string, trail: string[]): void => {
    if (state.get(id) === 'done') return;
    const seen = trail.indexOf(id);
    if (seen !== -1) {
      cycles.push(trail.slice(seen));
      return;
    }
    state.set(id, 'open');
    for (const next of references.get(id) ?? []) visit(next, [...trail, id]);
    state.set(id, 'done');
  };
  for (const id of references.keys()) visit(id, []);
  return cycles;
}
