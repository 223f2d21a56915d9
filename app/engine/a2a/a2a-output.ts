import type { Message, Part, Task } from '@a2a-js/sdk';
import type { Json } from '#app/contracts/json.ts';
import { isJsonObject, storableJson } from '#app/engine/connections/peer-json.ts';

/**
 * The output of an agent for the step. One data part is the output itself, with the texts beside it under `text` where it has no such
 * member. Otherwise `{ text, data?, files? }`. Contents of files are kept as base64, addresses as they are: none is fetched.
 */
export function outputOfAgent(answer: Message | Task): Json {
  const parts = 'messageId' in answer ? answer.parts : partsOf(answer);
  const text = textOfParts(parts);
  const data = parts.flatMap((part) => (part.content?.$case === 'data' ? [storableJson(part.content.value)] : []));
  const files = parts.flatMap(fileOf);
  const only = data[0];
  if (data.length === 1 && files.length === 0 && isJsonObject(only)) return text === '' || 'text' in only ? only : { ...only, text };
  const output: { [key: string]: Json } = { text };
  if (data.length > 0) output.data = data;
  if (files.length > 0) output.files = files;
  return output;
}

/** An agent's words about the state of its task. */
export function statusText(task: Task): string {
  return textOfParts(task.status?.message?.parts ?? []);
}

/** Artifacts are the result; an agent without any has said it in its last message. */
function partsOf(task: Task): Part[] {
  const artifacts = task.artifacts.flatMap((artifact) => artifact.parts);
  return artifacts.length > 0 ? artifacts : (task.status?.message?.parts ?? []);
}

function textOfParts(parts: readonly Part[]): string {
  const text = parts
    .map((part) => (part.content?.$case === 'text' ? part.content.value : ''))
    .filter((value) => value !== '')
    .join('\n');
  return String(storableJson(text));
}

function fileOf(part: Part): Json[] {
  const about = { name: String(storableJson(part.filename)), mediaType: String(storableJson(part.mediaType)) };
  if (part.content?.$case === 'url') return [{ ...about, url: String(storableJson(part.content.value)) }];
  if (part.content?.$case === 'raw') return [{ ...about, base64: part.content.value.toString('base64') }];
  return [];
}
