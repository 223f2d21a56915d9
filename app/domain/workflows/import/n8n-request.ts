import { isHeaderName } from '#app/domain/connections/http-api.ts';
import { leftToWrite } from '#app/domain/workflows/import/jsonata-text.ts';
import { listOf, recordOf, translateValue } from '#app/domain/workflows/import/n8n-conditions.ts';
import type { ExpressionScope } from '#app/domain/workflows/import/n8n-expressions.ts';
import type { N8nNode } from '#app/domain/workflows/import/n8n-graph.ts';
import { isEmpty, type Mapped, MOST_CHARACTERS, mappingOf } from '#app/domain/workflows/import/n8n-mapping.ts';
import { type HttpList, listed } from '#app/domain/workflows/steps/http-request.ts';

type Parameters = { [name: string]: unknown };

/** Read here, or a matter of the connection and of n8n's own screens. */
const UNDERSTOOD = new Set(
  `url method requestMethod authentication genericAuthType nodeCredentialType provideSslCertificates curlImport infoMessage httpVariantWarning
  sendQuery specifyQuery queryParameters jsonQuery queryParametersUi queryParametersJson
  sendHeaders specifyHeaders headerParameters jsonHeaders headerParametersUi headerParametersJson
  sendBody specifyBody contentType bodyParameters jsonBody body bodyParametersUi bodyParametersJson jsonParameters options`.split(/\s+/),
);
const HARMLESS_OPTIONS = new Set(['timeout', 'redirect', 'allowUnauthorizedCerts', 'response', 'lowercaseHeaders']);

/**
 * The input of a request (versions 1 to 4 of the node) as mappings of a step, and what n8n called. Anything that is not understood stands in the
 * body as a comment, which cannot be published. Not whole: something was left out or has to be written.
 */
export function readRequest(node: N8nNode, scope: ExpressionScope): { input: Record<string, string>; called: string; isWhole: boolean } {
  const { parameters, typeVersion } = node;
  const url = String(parameters.url ?? '');
  const isOlder = typeVersion < 3;
  const { path, query, called } = addressOf(url, scope);
  const values: [string, Mapped][] = [
    ['path', path],
    ...query,
    ...listFrom(parameters, 'query', isOlder, scope),
    ...listFrom(parameters, 'headers', isOlder, scope),
    ...bodyOf(parameters, isOlder, scope),
  ];
  const rest = notUnderstood(parameters);
  if (rest !== null)
    values.push(['body', { text: `=${leftToWrite(JSON.stringify({ ...rest, body: sentBody(parameters) }))}`, isWhole: false }]);
  const kept = values.filter(([name, { text }]) => name.length <= 120 && text !== '' && mayBeSet(name));
  const input = Object.fromEntries(kept.map(([name, { text }]) => [name, text.slice(0, MOST_CHARACTERS)]));
  return {
    input,
    called: `${String(parameters.method ?? parameters.requestMethod ?? 'GET')} ${called}`,
    isWhole: Object.keys(input).length === values.length && values.every(([, value]) => value.isWhole),
  };
}

const mayBeSet = (name: string): boolean => !name.startsWith('headers.') || isHeaderName(name.slice('headers.'.length));

/** A plain address in its parts; an expression is taken apart only where it begins with the address. `called`: without a password in it. */
function addressOf(url: string, scope: ExpressionScope): { path: Mapped; query: [string, Mapped][]; called: string } {
  const missing = { path: { text: '', isWhole: false }, query: [], called: url };
  const { text, isWhole } = mappingOf(url, scope);
  if (text.startsWith('=')) {
    const [, path = '', rest = ''] = /^="https?:\/\/[^"/?#@]+(\/[^"?#]*)?"((?:\s*&(?!.*[?#])[\s\S]*)?)$/.exec(text) ?? [];
    return path === '' ? missing : { ...missing, path: { text: `="${path}"${rest}`, isWhole } };
  }
  if (!URL.canParse(text)) return missing;
  const { origin, pathname, searchParams } = new URL(text);
  const query = [...searchParams].map(([name, value]): [string, Mapped] => [listed('query', name), { text: value, isWhole: true }]);
  return { path: { text: pathname, isWhole: true }, query, called: `${origin}${pathname}` };
}

/** The older versions have the same under other names. */
function listFrom(parameters: Parameters, list: HttpList, isOlder: boolean, scope: ExpressionScope): [string, Mapped][] {
  const word = list === 'query' ? 'Query' : 'Headers';
  const stem = list === 'query' ? 'query' : 'header';
  if (!isOlder && parameters[`send${word}`] !== true) return [];
  const asJson = isOlder ? parameters.jsonParameters === true : parameters[`specify${word}`] === 'json';
  const name = (one: string) => listed(list, one);
  if (asJson) {
    const json = parameters[isOlder ? `${stem}ParametersJson` : `json${word}`];
    return isEmpty(json) ? [] : jsonList(String(json), name);
  }
  const given = recordOf(parameters[isOlder ? `${stem}ParametersUi` : `${stem}Parameters`]);
  return listOf(isOlder ? given.parameter : given.parameters).map((one) => {
    const pair = recordOf(one);
    return [name(String(pair.name ?? '')), mappingOf(pair.value ?? '', scope)];
  });
}

/** A list written as JSON. With expressions in it, it has no names to map. */
function jsonList(json: string, name: (one: string) => string): [string, Mapped][] {
  try {
    return Object.entries(recordOf(JSON.parse(json))).map(([one, value]) => [
      name(one),
      { text: String(value), isWhole: typeof value !== 'object' && !String(value).startsWith('=') },
    ]);
  } catch {
    return [[name('*'), { text: `=${leftToWrite(json)}`, isWhole: false }]];
  }
}

/** As n8n would send it: one of its fields, by how the body is written. */
function sentBody({ specifyBody, jsonBody, body, bodyParametersJson, bodyParameters, bodyParametersUi }: Parameters): unknown {
  if (specifyBody === 'json') return jsonBody;
  if (specifyBody === 'string') return body;
  return [bodyParametersJson, bodyParameters, bodyParametersUi, jsonBody, body].find((one) => !isEmpty(one));
}

function bodyOf(parameters: Parameters, isOlder: boolean, scope: ExpressionScope): [string, Mapped][] {
  const sent = sentBody(parameters);
  if ((!isOlder && parameters.sendBody !== true) || isEmpty(sent) || notUnderstood(parameters) !== null) return [];
  const form: [string, Mapped][] =
    parameters.contentType === 'form-urlencoded'
      ? [[listed('headers', 'Content-Type'), { text: 'application/x-www-form-urlencoded', isWhole: true }]]
      : [];
  if (typeof sent !== 'object') return [...form, ['body', mappingOf(sent, scope)]];
  const fields = [recordOf(sent).parameters, recordOf(sent).parameter].flatMap(listOf).map((one) => recordOf(one));
  const members = fields.map(({ name, value }) => [JSON.stringify(String(name ?? '')), translateValue(value ?? '', scope)] as const);
  const isWhole = fields.length > 0 && members.every(([, value]) => value !== null);
  const text = isWhole ? `{ ${members.map((member) => member.join(': ')).join(', ')} }` : leftToWrite(JSON.stringify(sent));
  return [...form, ['body', { text: `=${text}`, isWhole }]];
}

/** Parameters that would change the call or its answer and have no counterpart; null where there are none. */
function notUnderstood(parameters: Parameters): Parameters | null {
  const { contentType, options } = parameters;
  const { fullResponse, neverError, responseFormat } = recordOf(recordOf(recordOf(options).response).response);
  const rest = Object.entries(parameters).filter(([name, value]) => name !== '' && !UNDERSTOOD.has(name) && !isEmpty(value));
  if (![undefined, 'json', 'form-urlencoded'].includes(contentType as string)) rest.push(['contentType', contentType]);
  rest.push(...Object.entries(recordOf(options)).filter(([name, value]) => !HARMLESS_OPTIONS.has(name) && !isEmpty(value)));
  // The shape of what later steps read, or what counts as an answer.
  if (fullResponse === true || neverError === true || ['text', 'file'].includes(responseFormat as string))
    rest.push(['response', { fullResponse, neverError, responseFormat }]);
  return rest.length === 0 ? null : Object.fromEntries(rest);
}
