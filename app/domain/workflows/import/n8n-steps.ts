import type { ImportNoteKey } from '#app/domain/workflows/import/import-note.ts';
import { leftToWrite } from '#app/domain/workflows/import/jsonata-text.ts';
import { listOf, recordOf, translateValue } from '#app/domain/workflows/import/n8n-conditions.ts';
import type { ExpressionScope } from '#app/domain/workflows/import/n8n-expressions.ts';
import type { N8nNode } from '#app/domain/workflows/import/n8n-graph.ts';
import { isEmpty, MOST_CHARACTERS, mappingOf } from '#app/domain/workflows/import/n8n-mapping.ts';
import { readRequest } from '#app/domain/workflows/import/n8n-request.ts';
import { expressionKey } from '#app/domain/workflows/mappings/expression-text.ts';
import { STEP_RULES, type Step } from '#app/domain/workflows/steps/step.ts';
import type { StepBase } from '#app/domain/workflows/steps/step-rules.ts';
import { WAIT_UNITS } from '#app/domain/workflows/steps/wait-span.ts';
import { WAIT_MAX_SECONDS } from '#app/domain/workflows/steps/wait-step.ts';

/** The step that a node became, null for a node that does nothing itself, and the reasons for which an author should look at it. */
export type Converted = { step: Step | null; notes: readonly ImportNoteKey[] };
type Converter = (node: N8nNode, base: StepBase, scope: ExpressionScope) => Converted;

const MOST_MAPPINGS = 20;
/** Of a service's node: how n8n calls it, which says nothing to another tool. */
const OWN_PARAMETERS = new Set([
  'authentication',
  'options',
  'resource',
  'operation',
  'sendBody',
  'sendHeaders',
  'sendQuery',
  'specifyBody',
]);

/** The last part of a node's type: `set` of `n8n-nodes-base.set`. */
export const kindOfNode = ({ type }: N8nNode): string => type.slice(type.lastIndexOf('.') + 1);

/** Nodes that start a workflow. */
export const isTrigger = (node: N8nNode): boolean =>
  /trigger$/i.test(kindOfNode(node)) || ['webhook', 'start', 'cron', 'interval', 'emailReadImap'].includes(kindOfNode(node));

const MODELS =
  /langchain\.(?:agent|chain|openAi$|anthropic$|googleGemini$|ollama$|informationExtractor|textClassifier|sentimentAnalysis)|base\.openAi$/;
/** Nodes that work on data alone: what they do is written as an expression. */
const SHAPING =
  /base\.(?:code|function|functionItem|aggregate|itemLists|sort|limit|removeDuplicates|dateTime|html|htmlExtract|markdown|extractFromFile|convertToFile|summarize|compareDatasets|crypto|xml|renameKeys|editImage|compression|readBinaryFile|writeBinaryFile|moveBinaryData|spreadsheetFile|readWriteFile|debugHelper)$|langchain\.code$/;

const CONVERTERS: { [kind: string]: Converter } = {
  set: setStep,
  splitOut: (node, base, scope) => {
    const [field = ''] = String(node.parameters.fieldToSplitOut ?? '').split(',');
    const list = scope.before === null || field === '' ? null : `${scope.before}.${field.trim().split('.').map(expressionKey).join('.')}`;
    return list === null ? written(node, base, 'code') : { step: { ...base, kind: 'transform', expression: list }, notes: [] };
  },
  wait: waitStep,
  stopAndError: (node, base, scope) => {
    const message = translateValue(node.parameters.errorMessage ?? '', scope);
    return message === null
      ? written(node, base, 'expression')
      : { step: { ...base, kind: 'transform', expression: `$error(${message})` }, notes: [] };
  },
  noOp: () => ({ step: null, notes: [] }),
  merge: () => ({ step: null, notes: ['merge'] }),
  stickyNote: () => ({ step: null, notes: ['comment'] }),
  respondToWebhook: () => ({ step: null, notes: ['answer'] }),
  executeWorkflow: subWorkflowStep,
  httpRequest: httpStep,
};

/** A node as a step of ours. Anything of which nothing is known becomes a call without a target. */
export function convertNode(node: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const own = CONVERTERS[kindOfNode(node)];
  if (own !== undefined) return own(node, base, scope);
  if (node.parameters.operation === 'sendAndWait') return approvalStep(node, base, scope);
  if (MODELS.test(node.type)) return modelStep(node, base, scope);
  if (SHAPING.test(node.type)) return written(node, base, 'code');
  return callStep(node, base, scope);
}

/** A step whose author has to write what it does: n8n's own words stand in it as a comment. */
function written({ type, parameters }: N8nNode, base: StepBase, note: ImportNoteKey): Converted {
  const code = parameters.jsCode ?? parameters.functionCode ?? parameters.pythonCode;
  const text = typeof code === 'string' ? code : `${type} ${JSON.stringify(parameters)}`;
  return { step: { ...base, kind: 'transform', expression: leftToWrite(text) }, notes: [note] };
}

function setStep(node: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const { parameters } = node;
  const newer = listOf(recordOf(parameters.assignments).assignments);
  const older = ['string', 'number', 'boolean'].flatMap((type) => listOf(recordOf(parameters.values)[type]));
  const fields = [...newer, ...older, ...listOf(recordOf(parameters.fields).values)].map((field) => {
    const { name, type, value, stringValue } = recordOf(field);
    return { name: String(name ?? ''), value: fieldValue(value ?? stringValue ?? '', String(type ?? 'string'), scope) };
  });
  // a dot in a name makes an object within the object
  if (fields.length === 0 || fields.some(({ name, value }) => value === null || name.includes('.')))
    return written(node, base, 'expression');
  const object = `{ ${fields.map(({ name, value }) => `${JSON.stringify(name)}: ${value}`).join(', ')} }`;
  const keepsOthers = parameters.includeOtherFields === true || (older.length > 0 && parameters.keepOnlySet !== true);
  const expression = keepsOthers && scope.before !== null ? `$merge([${scope.before}, ${object}])` : object;
  return { step: { ...base, kind: 'transform', expression }, notes: [] };
}

/** A field's value as an expression; null where it has to be written. Plain text in a field of another type stands for a value of that type. */
function fieldValue(value: unknown, type: string, scope: ExpressionScope): string | null {
  if (typeof value !== 'string' || value.startsWith('=') || /^string/.test(type)) return translateValue(value, scope);
  if (/^number/.test(type)) return value.trim() !== '' && Number.isFinite(Number(value)) ? String(Number(value)) : null;
  return /^boolean/.test(type) && /^(?:true|false)$/.test(value) ? value : null;
}

function waitStep({ parameters, typeVersion }: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const step = STEP_RULES.wait.create(base);
  const { resume, dateTime, amount, unit } = parameters;
  if (resume === 'webhook' || resume === 'form')
    return { step: { ...step, mode: 'event', seconds: WAIT_UNITS.days }, notes: ['waitsForCall'] };
  if (resume === 'specificTime') {
    const until = mappingOf(dateTime ?? '', scope);
    return { step: { ...step, mode: 'until', until: until.text }, notes: until.isWhole ? [] : ['expression'] };
  }
  // a value that is the default of its version is left out of a file
  const usual = typeVersion >= 1.1 ? { amount: 5, unit: 'seconds' } : { amount: 1, unit: 'hours' };
  const length = WAIT_UNITS[String(unit ?? usual.unit) as keyof typeof WAIT_UNITS] ?? Number.NaN;
  const seconds = Math.ceil(Number(amount ?? usual.amount) * length);
  if (!(seconds >= 1 && seconds <= WAIT_MAX_SECONDS)) return { step: { ...step, mode: 'until' }, notes: ['expression'] };
  return { step: { ...step, seconds }, notes: [] };
}

function approvalStep({ parameters, name }: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const { text } = mappingOf(parameters.message ?? parameters.subject ?? name, scope);
  const isPlain = text !== '' && !text.startsWith('=') && text.length <= 500;
  const step = STEP_RULES.approval.create(base);
  return {
    step: { ...step, question: isPlain ? text : name.slice(0, 120), show: isPlain ? {} : { message: text.slice(0, MOST_CHARACTERS) } },
    notes: ['approval'],
  };
}

function modelStep({ parameters }: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const messages = recordOf(parameters.messages);
  const said = [...listOf(messages.values), ...listOf(messages.messageValues)].map((message) => recordOf(message));
  const prompt = parameters.text ?? parameters.prompt ?? said.at(-1)?.content ?? said.at(-1)?.message ?? '';
  const system = recordOf(parameters.options).systemMessage ?? parameters.systemMessage;
  const mapped = { prompt: mappingOf(prompt, scope), ...(system === undefined ? {} : { system: mappingOf(system, scope) }) };
  const input = Object.fromEntries(Object.entries(mapped).map(([field, { text }]) => [field, text]));
  const isWhole = Object.values(mapped).every((value) => value.isWhole);
  return { step: { ...STEP_RULES.model.create(base), input }, notes: isWhole ? ['model'] : ['model', 'expression'] };
}

/** The connection has the address and the credential, and is chosen by the author: the task keeps what n8n called. */
function httpStep(node: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const { input, called, isWhole } = readRequest(node, scope);
  return {
    step: { ...STEP_RULES.http.create(base), task: called.slice(0, 500), input },
    notes: isWhole ? ['http'] : ['http', 'expression'],
  };
}

/** Which workflow it is, the author chooses: ids of n8n say nothing here. */
function subWorkflowStep({ parameters }: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const { input, isWhole } = mappedInput(Object.entries(recordOf(recordOf(parameters.workflowInputs).value)), scope);
  return { step: { ...STEP_RULES.sub_workflow.create(base), input }, notes: isWhole ? ['subWorkflow'] : ['subWorkflow', 'expression'] };
}

function callStep({ parameters }: N8nNode, base: StepBase, scope: ExpressionScope): Converted {
  const given = Object.entries(parameters)
    .filter(([name]) => !OWN_PARAMETERS.has(name))
    .map(([name, value]) => [name, '__rl' in recordOf(value) ? recordOf(value).value : value] as const);
  const { input, isWhole } = mappedInput(given, scope);
  return { step: { ...STEP_RULES.tool.create(base), input }, notes: isWhole ? ['service'] : ['service', 'expression'] };
}

/** Named values as the mappings of a call, empty ones left out. Not whole: something was left out besides or has to be written. */
function mappedInput(named: readonly (readonly [string, unknown])[], scope: ExpressionScope) {
  const given = named.filter(([, value]) => !isEmpty(value));
  const kept = given.filter(([name]) => name.length <= 120).slice(0, MOST_MAPPINGS);
  const values = kept.map(([name, value]) => [name, mappingOf(value, scope)] as const);
  return {
    input: Object.fromEntries(values.map(([name, { text }]) => [name, text])),
    isWhole: kept.length === given.length && values.every(([, value]) => value.isWhole),
  };
}
