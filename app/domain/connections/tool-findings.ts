import type { Json } from '#app/contracts/json.ts';
import { hidesText, revealedText, smuggledText, visibleText } from '#app/domain/connections/hidden-text.ts';

/**
 * Something in what a peer says of a tool that a reviewer should look at. `place`: its path in the definition. `text`: the words, with
 * everything invisible spelled out. `hiddenName`: it stands in a name or a value that has to be sent as it is, so that it cannot be left out.
 */
export type ToolFinding = { kind: 'hidden' | 'hiddenName' | 'instruction'; place: string; text: string };

/** A reviewer reads no more than this of one tool; the tool as a whole is shown below it. */
const MAX_FINDINGS = 20;
const MAX_QUOTE = 240;
/** Members of a JSON Schema whose texts name or are a value. */
const VALUES: ReadonlySet<string> = new Set(['enum', 'const', 'required', 'dependentRequired']);

/** Sentences that speak to a model rather than about a tool. */
const INSTRUCTIONS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|other|all|any)\b[^.\n]{0,30}\b(?:instructions?|rules|prompts?|guidelines|polic(?:y|ies))\b/i,
  /\b(?:do not|don['’]t|never|without)\b[^.\n]{0,20}\b(?:tell|mention|inform|notify|reveal|show|ask|telling|mentioning|informing|notifying|revealing|showing|asking)\b[^.\n]{0,30}\b(?:user|person|human|operator|anyone|anybody|approver)\b/i,
  /<\/?(?:important|system|instructions?|secret|hidden|assistant|user)>/i,
  /\[\/?INST\]|<\|im_(?:start|end)\|>|<\|(?:system|user|assistant)\|>/i,
  /\b(?:system prompt|system message|developer message|jailbreak)\b/i,
  /\b(?:before|after|whenever|prior to|instead of)\b[^.\n]{0,20}\b(?:us(?:e|ing)|call(?:ing)?|invok(?:e|ing))\b[^.\n]{0,60}\b(?:you|must|always|first)\b/i,
  /\byou (?:must|should|have to|are required to|need to) (?:always |first |also |then )?(?:call|use|read|send|include|pass|forward|copy|upload|add)\b/i,
  /\b(?:contents? of|your|the user['’]s|all|any)\b[^.\n]{0,40}(?:~\/|\/etc\/|\.ssh\b|id_rsa|\.env\b|credentials|api[ _-]?keys|passwords|private keys|mcp\.json)/i,
  /\bignor(?:a|e|ar|ez|er)\b[^.\n]{0,40}\b(?:instrucciones|instructions)\b|\bignorier\w*\b[^.\n]{0,40}\banweisungen\b/i,
  /تجاهل[^.\n]{0,40}(?:التعليمات|الأوامر)|התעלם[^.\n]{0,40}(?:ההוראות|הנחיות)/u,
];

/** Everything in a definition that hides, or reads like an instruction, at any depth. */
export function findingsOf(definition: Json): ToolFinding[] {
  const found: ToolFinding[] = [];
  look(definition, '', false, found);
  return found.slice(0, MAX_FINDINGS);
}

/** Whether something hides where it cannot be left out: such a tool is never approved. */
export function hidesName(definition: Json): boolean {
  const found: ToolFinding[] = [];
  look(definition, '', false, found);
  return found.some(({ kind }) => kind === 'hiddenName');
}

function look(value: Json, place: string, isValue: boolean, found: ToolFinding[]): void {
  if (typeof value === 'string') lookAt(value, place, isValue, found);
  if (Array.isArray(value)) for (const [index, item] of value.entries()) look(item, `${place}[${index}]`, isValue, found);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const at = place === '' ? revealedText(name) : `${place}.${revealedText(name)}`;
    if (hidesText(name)) found.push({ kind: 'hiddenName', place: at, text: quote(name) });
    // The name by which a tool, or an agent's skill, is called.
    const names = VALUES.has(name) || at === 'name' || at === 'skill.id';
    look(member, at, isValue || names, found);
  }
}

function lookAt(text: string, place: string, isValue: boolean, found: ToolFinding[]): void {
  if (hidesText(text)) found.push({ kind: isValue ? 'hiddenName' : 'hidden', place, text: quote(text) });
  const read = `${visibleText(text)} ${smuggledText(text)}`;
  const sentence = INSTRUCTIONS.map((pattern) => pattern.exec(read)).find((match) => match !== null);
  if (sentence !== undefined && sentence !== null) found.push({ kind: 'instruction', place, text: sentence[0].slice(0, MAX_QUOTE) });
}

/** Letters that were smuggled in are shown as letters: nobody reads them from their code points. */
function quote(text: string): string {
  const smuggled = smuggledText(text);
  if (smuggled !== '') return smuggled.slice(0, MAX_QUOTE);
  const shown = revealedText(text);
  const first = shown.indexOf('\\u{');
  return shown.slice(Math.max(0, first - MAX_QUOTE / 2), first + MAX_QUOTE / 2);
}

/** Hints of an MCP server about a tool. They are the server's word, which nobody has verified. */
export const TOOL_HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;
export type ToolHint = (typeof TOOL_HINTS)[number];

export function hintsOf(definition: Json): { name: ToolHint; value: boolean }[] {
  const annotations = memberOf(definition, 'annotations');
  return TOOL_HINTS.flatMap((name) => {
    const value = memberOf(annotations, name);
    return typeof value === 'boolean' ? [{ name, value }] : [];
  });
}

/** The effect of a call at the peer, as the peer states it: nothing, something, something that cannot be undone, or nothing is said. */
export type ToolEffect = 'reads' | 'writes' | 'destroys' | 'unstated';

/**
 * The effect by the hints of MCP (2026-07-28, Tool Annotations: a tool that is not read-only is destructive unless it says otherwise) or by
 * what an integration declares. A model answers and changes nothing.
 */
export function effectOf(kind: 'tool' | 'skill' | 'model', definition: Json): ToolEffect {
  if (kind === 'model') return 'reads';
  const declared = memberOf(definition, 'effect');
  if (declared === 'reads' || declared === 'writes') return declared;
  const hints = new Map(hintsOf(definition).map(({ name, value }) => [name, value]));
  if (hints.get('readOnlyHint') === true) return 'reads';
  if (hints.get('destructiveHint') === true) return 'destroys';
  if (hints.get('destructiveHint') === false) return 'writes';
  return hints.get('readOnlyHint') === false ? 'destroys' : 'unstated';
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}
