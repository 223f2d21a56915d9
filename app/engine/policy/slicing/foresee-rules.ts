import type { ActionConstraint, PolicyJson, PrincipalConstraint, ResourceConstraint } from '@cedar-policy/cedar-wasm/nodejs';
import { readTerm, type Term } from '#app/engine/policy/slicing/cedar-terms.ts';
import { liesIn, UNSURE, uidOf, type World } from '#app/engine/policy/slicing/cedar-values.ts';

/** Whether a rule applies to a call, as Cedar would answer; null: only Cedar can tell, also whether the rule fails. */
export type Foresight = (world: World) => boolean | null;

export function foresightOf({ principal, action, resource, conditions }: PolicyJson): Foresight {
  const scope = [scopeOf('principal', principal), scopeOf('action', action), scopeOf('resource', resource)];
  const clauses = conditions.map(({ kind, body }) => ({ met: kind === 'when', term: readTerm(body) }));
  return (world) => {
    for (const term of scope) {
      const met = term(world);
      if (met !== true) return met === false ? false : null;
    }
    for (const { met, term } of clauses) {
      const found = term(world);
      if (typeof found !== 'boolean') return null;
      if (found !== met) return false;
    }
    return true;
  };
}

const unknown: Term = () => UNSURE;

function scopeOf(of: 'principal' | 'action' | 'resource', constraint: PrincipalConstraint | ActionConstraint | ResourceConstraint): Term {
  if (constraint.op === 'All') return () => true;
  if ('slot' in constraint) return unknown;
  if (constraint.op === 'is') {
    const { entity_type: type } = constraint;
    if (constraint.in === undefined) return (world) => world[of].type === type;
    const [inside] = 'entity' in constraint.in ? [constraint.in.entity] : [];
    return inside === undefined ? unknown : (world) => world[of].type === type && liesIn(world[of], uidOf(inside), world);
  }
  const entities = ('entities' in constraint ? constraint.entities : [constraint.entity]).map(uidOf);
  if (constraint.op === 'in') return (world) => entities.some((entity) => liesIn(world[of], entity, world));
  return (world) => entities.some(({ type, id }) => world[of].type === type && world[of].id === id);
}
