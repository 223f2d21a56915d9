import type { CallToolResult } from '@modelcontextprotocol/client';
import type { Json } from '#app/contracts/json.ts';
import { isJsonObject, storableJson } from '#app/engine/connections/peer-json.ts';

/**
 * The output of a tool for the step: its structured content where it has one. Else `{ text }` with all texts joined, `json` where that text
 * is a JSON object or array, and `content` with the parts that are no text.
 */
export function outputOfTool(result: CallToolResult): Json {
  if (result.structuredContent !== undefined) return storableJson(result.structuredContent);
  const text = textOf(result);
  const other = result.content.filter((part) => part.type !== 'text');
  const output: { [key: string]: Json } = { text: storableJson(text) };
  const json = parsed(text);
  if (json !== undefined) output.json = json;
  if (other.length > 0) output.content = storableJson(other);
  return output;
}

export function textOf(result: CallToolResult): string {
  return result.content
    .map((part) => (part.type === 'text' ? part.text : ''))
    .filter((text) => text !== '')
    .join('\n');
}

function parsed(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const json = storableJson(JSON.parse(text));
    return isJsonObject(json) || Array.isArray(json) ? json : undefined;
  } catch {
    // Text that only looks like JSON stays text.
    return undefined;
  }
}
