import { type Key, readKey } from '#app/features/audit/verifier/keys.ts';

/** Whoever has to sign with the log (c2sp.org/tlog-policy). `isMet`: whether the witnesses of these names are enough. */
export type Policy = { logs: string[]; witnesses: Map<string, Key>; isMet(signed: ReadonlySet<string>): boolean };

type Group = { needed: number; members: string[] };

/** Reads a policy. @throws where a line is none, names what is not there yet, or the quorum is missing */
export async function readPolicy(text: string): Promise<Policy> {
  const logs: string[] = [];
  const witnesses = new Map<string, Key>();
  const groups = new Map<string, Group>();
  let quorum: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [keyword = '', name = '', ...rest] = line.trim().split(/\s+/);
    if (keyword === '' || keyword.startsWith('#')) continue;
    if (keyword === 'log') logs.push(name);
    else if (keyword === 'witness' && !witnesses.has(name)) witnesses.set(name, await readKey(rest[0] ?? '', 4));
    else if (keyword === 'group' && !groups.has(name)) groups.set(name, readGroup(rest, [...witnesses.keys(), ...groups.keys()]));
    else if (keyword === 'quorum' && quorum === undefined) quorum = name;
    else throw new Error(`policy: not understood: ${line.trim()}`);
  }
  if (quorum === undefined || !(quorum === 'none' || witnesses.has(quorum) || groups.has(quorum))) throw new Error('policy: no quorum');
  const isSigned = (name: string, signed: ReadonlySet<string>): boolean => {
    const group = groups.get(name);
    return group === undefined ? signed.has(name) : group.members.filter((member) => isSigned(member, signed)).length >= group.needed;
  };
  const wanted = quorum;
  return { logs, witnesses, isMet: (signed) => wanted === 'none' || isSigned(wanted, signed) };
}

function readGroup([threshold = '', ...members]: string[], known: readonly string[]): Group {
  const needed = threshold === 'any' ? 1 : threshold === 'all' ? members.length : Number(threshold);
  const isNumber = Number.isSafeInteger(needed) && needed >= 1 && needed <= members.length;
  if (!isNumber || new Set(members).size < members.length || members.some((member) => !known.includes(member)))
    throw new Error('policy: a group that cannot be');
  return { needed, members };
}
