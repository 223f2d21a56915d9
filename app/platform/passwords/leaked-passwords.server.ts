import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '#app/platform/project-root.server.ts';

/** Beside it stands where it comes from and its licence: leaked-passwords.txt. */
const LIST = ['app', 'platform', 'passwords', 'leaked-passwords.bin'];
const MARK_BYTES = 4;
/** What people add to a known password: a year, an exclamation mark. */
const ENDING = /[\d!?.*#$@_-]{1,5}$/;

let marks: Buffer | null = null;

/**
 * Whether a password is among the 20,000 that leaks hold most often, whatever its case, or one of them with up to five digits or signs behind
 * it. Nothing leaves the machine. One in 200,000 other passwords is taken for one.
 */
export function isLeaked(password: string): boolean {
  marks ??= readFileSync(join(projectRoot(), ...LIST));
  const whole = password.toLowerCase();
  return isListed(marks, whole) || isListed(marks, whole.replace(ENDING, ''));
}

function isListed(list: Buffer, form: string): boolean {
  if (form === '') return false;
  const wanted = createHash('sha256').update(form).digest().readUInt32BE(0);
  let [low, high] = [0, list.length / MARK_BYTES - 1];
  while (low <= high) {
    const middle = (low + high) >> 1;
    const found = list.readUInt32BE(middle * MARK_BYTES);
    if (found === wanted) return true;
    if (found < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
