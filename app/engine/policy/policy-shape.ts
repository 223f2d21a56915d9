import type { PolicyIssue } from '#app/contracts/engine.ts';

/** Characters of a policy's text. */
export const POLICY_MAX_LENGTH = 65_536;
export const POLICY_MAX_RULES = 100;
/**
 * Cedar's evaluator recurses on the stack of its WebAssembly instance: nesting of 150, or a chain of 450 operators, was measured to
 * overflow it, and after that the instance answers nothing any longer. So a text is measured before Cedar sees it.
 */
const MAX_NESTING = 30;
const MAX_OPERATORS = 200;
const MAX_TOKENS = 4_000;
/** A pattern of `like` costs its length times the text's. */
const MAX_STRING = 1_000;

const TOKEN = /\/\/[^\n]*|"(?:[^"\\]|\\[\s\S])*"|&&|\|\||[()[\]{};.+\-*!]|\b(?:if|has|like|in|is)\b|[^\s()[\]{};.+\-*!"&|/]+|\S/g;
const OPENING = new Set(['(', '[', '{']);
const CLOSING = new Set([')', ']', '}']);
const OPERATORS = new Set(['&&', '||', '.', '[', '+', '-', '*', '!', 'if', 'has', 'like', 'in', 'is']);

/** Counts from 1; `index` in UTF-16 units. */
export function placeAt(text: string, index: number): { line: number; column: number } {
  const before = text.slice(0, index);
  const lineStart = before.lastIndexOf('\n') + 1;
  return { line: before.split('\n').length, column: index - lineStart + 1 };
}

/** The index of a place that counts from 1. */
export function indexAt(text: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) start = text.indexOf('\n', start) + 1;
  return start + column - 1;
}

/** Refuses texts that are too large or too deep for Cedar; null: it may be read. */
export function findUnsafeShape(text: string): PolicyIssue | null {
  if (text.length > POLICY_MAX_LENGTH) return { message: `a policy may have ${POLICY_MAX_LENGTH} characters at most`, line: 1, column: 1 };
  let depth = 0;
  let operators = 0;
  let tokens = 0;
  let rules = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0];
    if (token.startsWith('//')) continue;
    tokens += 1;
    if (OPENING.has(token)) depth += 1;
    if (CLOSING.has(token)) depth = Math.max(0, depth - 1);
    if (OPERATORS.has(token)) operators += 1;
    const at = () => placeAt(text, match.index);
    if (token.length > MAX_STRING) return { message: `a word may have ${MAX_STRING} characters at most`, ...at() };
    if (depth > MAX_NESTING) return { message: `brackets may be nested ${MAX_NESTING} deep at most`, ...at() };
    if (operators > MAX_OPERATORS)
      return { message: `a rule may have ${MAX_OPERATORS} operators at most; split it into several rules`, ...at() };
    if (tokens > MAX_TOKENS)
      return { message: `a rule may have ${MAX_TOKENS} words and signs at most; split it into several rules`, ...at() };
    if (token === ';' && depth === 0) {
      rules += 1;
      operators = 0;
      tokens = 0;
      if (rules > POLICY_MAX_RULES) return { message: `a policy may have ${POLICY_MAX_RULES} rules at most`, ...at() };
    }
  }
  return null;
}
