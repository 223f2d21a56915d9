import type { ImportNote, ImportNoteKey } from '#app/domain/workflows/import/import-note.ts';
import { leftToWrite } from '#app/domain/workflows/import/jsonata-text.ts';
import { listOf, recordOf, translateCondition } from '#app/domain/workflows/import/n8n-conditions.ts';
import type { ExpressionScope } from '#app/domain/workflows/import/n8n-expressions.ts';
import type { N8nGraph, N8nNode } from '#app/domain/workflows/import/n8n-graph.ts';
import { guessInput } from '#app/domain/workflows/import/n8n-input.ts';
import { convertNode, isTrigger, kindOfNode } from '#app/domain/workflows/import/n8n-steps.ts';
import { meetingOf } from '#app/domain/workflows/import/n8n-ways.ts';
import { WORKFLOW_MAX_DEPTH, WORKFLOW_MAX_STEPS } from '#app/domain/workflows/limits.ts';
import { answeredBy } from '#app/domain/workflows/steps/http-step.ts';
import type { Branch, Step } from '#app/domain/workflows/steps/step.ts';
import type { StepBase } from '#app/domain/workflows/steps/step-rules.ts';
import { ON_ERROR, TRIED } from '#app/domain/workflows/steps/try-labels.ts';
import { EMPTY_WORKFLOW, type WorkflowDocument } from '#app/domain/workflows/workflow.ts';

/**
 * A workflow of n8n as one of ours, with every node that did not go over as it was. n8n's graph becomes a tree: ways that part and meet
 * again become branches, and what follows ways that never all meet stands in each of them.
 */
export function convertN8n(graph: N8nGraph): { name: string; document: WorkflowDocument; notes: ImportNote[] } {
  const conversion = new Conversion(graph);
  const steps = conversion.convert();
  const { input, isGuessed } = guessInput(graph, steps);
  if (isGuessed) conversion.note(null, 'input');
  return { name: graph.name.trim().slice(0, 120), document: { ...EMPTY_WORKFLOW, input, steps }, notes: conversion.notes };
}

/** Where a list of steps stands: the node at which it ends, how deep it is, and what the step before it gives. */
type Place = { stop: string | null; depth: number; before: string | null };
/** Ways that one conversion looks at to find where they meet; public workflows need a small part of it. */
const MOST_EFFORT = 2_000_000;

class Conversion {
  readonly notes: ImportNote[] = [];
  readonly #graph: N8nGraph;
  readonly #ids = new Set<string>();
  readonly #idOf = new Map<string, string>();
  /** The expression by which other steps read what a step gave, by its id. */
  readonly #answers = new Map<string, string>();
  readonly #reached = new Set<string>();
  /** The nodes on the way to the present one. */
  readonly #within = new Set<string>();
  readonly #effort = { left: MOST_EFFORT };

  constructor(graph: N8nGraph) {
    this.#graph = graph;
  }

  convert(): Step[] {
    const { nodes } = this.#graph;
    const isTarget = new Set([...nodes.keys()].flatMap((name) => this.#graph.outputs(name).flat()));
    const starts = [...nodes.values()].filter((node) => isTrigger(node) && !isTarget.has(node.name));
    for (const { name } of starts) {
      this.#reached.add(name);
      this.note(name, 'trigger');
    }
    const firsts =
      starts.length > 0 ? [...new Set(starts.flatMap(({ name }) => this.#graph.outputs(name).flat()))] : this.#unstarted(isTarget);
    const steps = this.#list(firsts, { stop: null, depth: 1, before: 'input' }, starts.length > 1);
    for (const [name, node] of nodes) if (!this.#reached.has(name)) this.note(name, this.#whyLeftOut(node));
    return steps;
  }

  note(name: string | null, key: ImportNoteKey): void {
    const node = name === null ? undefined : this.#graph.nodes.get(name);
    if (this.notes.some((note) => note.key === key && note.name === (name ?? ''))) return;
    this.notes.push({ name: name ?? '', kind: node === undefined ? '' : kindOfNode(node), key });
  }

  /** A part of a workflow that was copied has no trigger: it begins where nothing leads to. */
  #unstarted(isTarget: ReadonlySet<string>): string[] {
    return [...this.#graph.nodes.keys()].filter(
      (name) => !isTarget.has(name) && !this.#graph.attached.has(name) && this.#graph.outputs(name).flat().length > 0,
    );
  }

  #whyLeftOut(node: N8nNode): ImportNoteKey {
    if (kindOfNode(node) === 'stickyNote') return 'comment';
    if (isTrigger(node)) return 'trigger';
    return this.#graph.attached.has(node.name) ? 'attached' : 'unreached';
  }

  /** The steps from these nodes on. Several: ways that are all taken, or one of which is, where each has a trigger of its own. */
  #list(names: readonly string[], place: Place, oneOf = false): Step[] {
    const targets = [...new Set(names)].filter((name) => name !== place.stop);
    if (targets.length === 0) return [];
    if (targets.length > 1) return this.#parted(targets, place, oneOf);
    const [name = ''] = targets;
    const node = this.#graph.nodes.get(name);
    if (node === undefined) return [];
    if (this.#within.has(name)) {
      this.note(name, 'backwards');
      return [];
    }
    if (this.#ids.size >= WORKFLOW_MAX_STEPS) {
      this.note(name, 'tooMany');
      return [];
    }
    if (this.#reached.has(name) && this.#idOf.has(name)) this.note(name, 'copied');
    this.#reached.add(name);
    this.#within.add(name);
    const steps = this.#from(node, place);
    this.#within.delete(name);
    return steps;
  }

  #from(node: N8nNode, place: Place): Step[] {
    const outputs = this.#graph.outputs(node.name);
    const kind = kindOfNode(node);
    if (node.disabled) {
      this.note(node.name, 'disabled');
      // n8n hands on what such a node was given, by its first output
      return this.#list(outputs[0] ?? [], place);
    }
    if (kind === 'splitInBatches') return this.#loop(node, place);
    if (kind === 'if' || kind === 'filter' || kind === 'switch') return this.#choice(node, place);
    if (node.onError === 'continueErrorOutput' && (outputs.at(-1)?.length ?? 0) > 0 && outputs.length > 1) return this.#tried(node, place);
    const step = this.#step(node, place);
    const used = outputs.filter((targets) => targets.length > 0);
    const after = { ...place, before: step === null ? place.before : answeredBy(step) };
    const rest = used.length > 1 ? this.#ways(node, used, after) : this.#list(outputs.flat(), after);
    return step === null ? rest : [step, ...rest];
  }

  #step(node: N8nNode, place: Place): Step | null {
    const { step, notes } = convertNode(node, this.#base(node), this.#scope(place));
    for (const note of notes) this.note(node.name, note);
    if (step === null) this.#ids.delete(this.#idOf.get(node.name) ?? '');
    else this.#answers.set(step.id, answeredBy(step));
    return step;
  }

  /** Ways that are all taken meet where each of them has to pass, or not at all. */
  #parted(targets: readonly string[], place: Place, oneOf: boolean): Step[] {
    const meeting = meetingOf(this.#graph, targets, place.stop, this.#effort);
    const inner = this.#inside(targets[0] ?? '', place, meeting);
    if (inner === null) return [];
    const base = this.#named(targets.join(oneOf ? ' / ' : ' + '));
    const branches = targets.slice(0, 20).map((target, index) => ({
      label: `way_${index + 1}`,
      when: oneOf ? `=${leftToWrite(target)}` : '',
      steps: this.#list([target], inner),
    }));
    if (oneOf) this.note(null, 'condition');
    const step: Step = { ...base, kind: 'branch', mode: oneOf ? 'choose' : 'parallel', branches };
    return [step, ...this.#after(meeting, place)];
  }

  #choice(node: N8nNode, place: Place): Step[] {
    const outputs = this.#graph.outputs(node.name);
    const count = { filter: 1, if: 2 }[kindOfNode(node)] ?? Math.max(2, outputs.length);
    const ways = Array.from({ length: count }, (_, output) => outputs[output] ?? []);
    return this.#ways(node, ways, place);
  }

  /** A branch with a way for each output of a node. */
  #ways(node: N8nNode, outputs: readonly (readonly string[])[], place: Place): Step[] {
    const canEnd = kindOfNode(node) === 'filter' || outputs.some((targets) => targets.length === 0);
    const meeting = canEnd ? null : meetingOf(this.#graph, outputs.flat(), place.stop, this.#effort);
    const inner = this.#inside(node.name, place, meeting);
    if (inner === null) return [];
    const conditions = this.#conditions(node, outputs.length, place);
    const base = this.#base(node, this.#idOf.has(node.name));
    const branches: Branch[] = outputs.slice(0, 19).map((targets, index) => ({
      label: conditions[index]?.label ?? `way_${index + 1}`,
      when: conditions[index]?.when ?? `=${leftToWrite(`${node.name}, ${index + 1}`)}`,
      steps: this.#list(targets, inner),
    }));
    if (branches.every(({ when }) => when !== '')) branches.push({ label: 'otherwise', when: '', steps: [] });
    if (branches.some(({ when }) => when.startsWith('=/*'))) this.note(node.name, 'condition');
    return [{ ...base, kind: 'branch', mode: 'choose', branches }, ...this.#after(meeting, place)];
  }

  #conditions(node: N8nNode, count: number, place: Place): { label: string; when: string }[] {
    const scope = this.#scope(place);
    const said = (parameters: { [name: string]: unknown }) => {
      const condition = translateCondition(parameters, scope);
      return condition === null ? `=${leftToWrite(JSON.stringify(parameters.conditions ?? parameters))}` : `=${condition}`;
    };
    if (kindOfNode(node) === 'if')
      return [
        { label: 'yes', when: said(node.parameters) },
        { label: 'otherwise', when: '' },
      ];
    if (kindOfNode(node) === 'filter') return [{ label: 'yes', when: said(node.parameters) }];
    if (kindOfNode(node) !== 'switch') return [];
    const rules = recordOf(node.parameters.rules);
    const newer = listOf(rules.values).map((rule) => recordOf(rule));
    const older = listOf(rules.rules).map((rule) => ({
      conditions: { [String(node.parameters.dataType ?? 'number')]: [{ value1: node.parameters.value1, ...recordOf(rule) }] },
    }));
    const stated = [...newer, ...older].map((rule, index) => ({ label: `way_${index + 1}`, when: said(rule) }));
    // the output behind all rules is the one for whatever fits none
    return count === stated.length + 1 && stated.length > 0 ? [...stated, { label: 'otherwise', when: '' }] : stated;
  }

  /** Batches of a list: the steps up to the way back run for each item. */
  #loop(node: N8nNode, place: Place): Step[] {
    const outputs = this.#graph.outputs(node.name);
    const comesBack = (targets: readonly string[] = []) => targets.length > 0 && this.#leadsTo(targets, node.name);
    const each = outputs.find(comesBack) ?? [];
    const done = outputs.filter((targets) => targets !== each).flat();
    const base = this.#base(node);
    const inner = each.length === 0 ? null : this.#inside(node.name, place, node.name);
    this.note(node.name, 'loop');
    if (inner === null) return this.#list(done, place);
    const branches = [{ label: 'each' as const, when: '' as const, steps: this.#list(each, { ...inner, before: 'item' }) }];
    const items = place.before === null ? `=${leftToWrite(node.name)}` : `=$append([], ${place.before})`;
    const step: Step = { ...base, kind: 'for_each', items, atOnce: 1, onItemError: 'stop', collect: '', branches };
    return [step, ...this.#list(done, { ...place, before: `steps.${base.id}` })];
  }

  /** A node with a way of its own for an error. */
  #tried(node: N8nNode, place: Place): Step[] {
    const outputs = this.#graph.outputs(node.name);
    const errors = outputs.at(-1) ?? [];
    const others = outputs.slice(0, -1).flat();
    const meeting = others.length === 0 ? null : meetingOf(this.#graph, [...others, ...errors], place.stop, this.#effort);
    const inner = this.#inside(node.name, place, meeting);
    if (inner === null) return [];
    this.note(node.name, 'errorWay');
    const base = this.#named(node.name);
    const step = this.#step(node, inner);
    const after = { ...inner, before: step === null ? inner.before : answeredBy(step) };
    const tried = [...(step === null ? [] : [step]), ...this.#list(others, after)];
    const branches: Branch[] = [
      { label: TRIED, when: '', steps: tried },
      { label: ON_ERROR, when: '', steps: this.#list(errors, { ...inner, before: 'error' }) },
    ];
    return [{ ...base, kind: 'try', branches }, ...this.#after(meeting, place)];
  }

  #after(meeting: string | null, place: Place): Step[] {
    return meeting === null || meeting === place.stop ? [] : this.#list([meeting], { ...place, before: null });
  }

  #inside(name: string, place: Place, stop: string | null): Place | null {
    if (place.depth < WORKFLOW_MAX_DEPTH) return { ...place, depth: place.depth + 1, stop: stop ?? place.stop };
    this.note(name, 'tooDeep');
    return null;
  }

  #leadsTo(from: readonly string[], to: string): boolean {
    const seen = new Set<string>();
    const open = [...from];
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (name === to) return true;
      if (seen.has(name)) continue;
      seen.add(name);
      open.push(...this.#graph.outputs(name).flat());
    }
    return false;
  }

  #scope({ before }: Place): ExpressionScope {
    return {
      before,
      placeOf: (name) => {
        const node = this.#graph.nodes.get(name);
        if (node !== undefined && isTrigger(node)) return 'input';
        const id = this.#idOf.get(name);
        return id === undefined || !this.#ids.has(id) ? null : (this.#answers.get(id) ?? `steps.${id}`);
      },
    };
  }

  #base(node: N8nNode, keepsId = false): StepBase {
    const base = this.#named(node.name);
    if (!keepsId) this.#idOf.set(node.name, base.id);
    const isKept = /^continue/.test(node.onError) || node.continueOnFail;
    const retries = node.retryOnFail ? Math.min(10, Math.max(0, Math.round(node.maxTries) - 1)) : 0;
    return { ...base, retries, onError: isKept && node.onError !== 'continueErrorOutput' ? 'continue' : 'fail' };
  }

  #named(name: string): StepBase {
    const word =
      name
        .normalize('NFKD')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '_')
        .replace(/^[^a-z]+|_+$/g, '')
        .slice(0, 34) || 'step';
    let id = word;
    for (let n = 2; this.#ids.has(id); n += 1) id = `${word}_${n}`;
    this.#ids.add(id);
    return { id, name: name.trim().slice(0, 120) || id, timeoutSeconds: 30, retries: 0, backoffSeconds: 1, onError: 'fail' };
  }
}
