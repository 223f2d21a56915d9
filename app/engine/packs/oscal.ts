import { v5 as idFrom } from 'uuid';
import type { Json } from '#app/contracts/json.ts';
import type { PackRecord } from '#app/domain/audit/pack-records.ts';
import { PACK_EXCEPTIONS, PACK_SAMPLE } from '#app/domain/audit/pack-records.ts';
import type { PackScope } from '#app/engine/packs/pack-scope.ts';
import type { ControlSummary, PackSummary } from '#app/engine/packs/summarise.ts';

/** OSCAL wants ids of version 4 or 5: these follow from what they name, so that the same pack has the same ones. */
const NAMESPACE = 'b1a6e1c4-0f0e-5b0a-9d7e-3c8f2a4d6e90';
const OSCAL_VERSION = '1.1.3';
const NS = 'urn:quorate:evidence-pack';

/** Words of controls in the reader's language. */
export type ControlWords = (control: ControlSummary['id']) => { title: string; text: string };
export type OscalSource = { scope: PackScope; summary: PackSummary; words: ControlWords; origin: string };

/**
 * A pack as OSCAL assessment results (NIST, version 1.1.3): one result with an observation for each control. There are no findings: whether
 * a control is satisfied is for the auditor to say, and the pack brings what they need for it.
 */
export function oscalOf({ scope, summary, words, origin }: OscalSource): { [key: string]: Json } {
  const { question, law, workspace } = scope;
  const identity = [workspace.id, question.framework, question.from, question.until, question.seed, summary.digest].join(' ');
  const id = (name: string) => idFrom(`${identity} ${name}`, NAMESPACE);
  const at = scope.at.toISOString();
  const sampling = `Of each control at most ${PACK_SAMPLE} records are drawn: those with the lowest SHA-256 of the seed ${question.seed}, a newline and the record's id.`;
  const observations = summary.controls.map((control) => observation(control, { scope, words, origin, id }));
  return {
    'assessment-results': {
      uuid: id('results'),
      metadata: {
        title: `${law.name}: ${workspace.name}, ${question.from} to ${question.until}`,
        'last-modified': at,
        version: '1',
        'oscal-version': OSCAL_VERSION,
        props: [
          { name: 'seed', ns: NS, value: question.seed },
          { name: 'records', ns: NS, value: String(summary.records) },
          { name: 'records-digest', ns: NS, value: summary.digest },
        ],
      },
      'import-ap': { href: `#${id('plan')}`, remarks: sampling },
      results: [
        {
          uuid: id('result'),
          title: law.name,
          description: law.citation,
          start: scope.from.toISOString(),
          end: scope.until.toISOString(),
          'reviewed-controls': {
            'control-selections': [{ 'include-controls': summary.controls.map((control) => ({ 'control-id': control.id })) }],
          },
          observations,
        },
      ],
      'back-matter': { resources: [{ uuid: id('plan'), title: 'Sampling', description: sampling }] },
    },
  };
}

type Named = Omit<OscalSource, 'summary'> & { id(name: string): string };

function observation({ id: control, tally, sample }: ControlSummary, { scope, words, origin, id }: Named): { [key: string]: Json } {
  const { title, text } = words(control);
  const { provision = '', attested = null } = scope.controls.find((one) => one.id === control) ?? {};
  const counts = [
    ...(['population', 'decisions', 'approvals', 'denials', 'before', 'after'] as const).map((name) => [name, tally[name]] as const),
    ...([['no-act', tally.noAct]] as const),
    ...([['break-glass', tally.breakGlass]] as const),
    ...PACK_EXCEPTIONS.map((name) => [`exception-${name}`, tally.exceptions[name]] as const),
  ];
  return {
    uuid: id(`observation ${control}`),
    title,
    description: text,
    props: [
      { name: 'control-id', ns: NS, value: control },
      ...(provision === '' ? [] : [{ name: 'provision', ns: NS, value: provision }]),
      ...(attested === null
        ? []
        : [{ name: attested.stale ? 'attestation-stale-since' : 'attested-until', ns: NS, value: attested.until }]),
      ...counts.map(([name, value]) => ({ name, ns: NS, value: String(value) })),
    ],
    methods: ['EXAMINE'],
    types: ['control-objective'],
    collected: scope.at.toISOString(),
    // OSCAL takes no empty list
    ...(sample.length > 0 && { 'relevant-evidence': sample.map((record) => evidence(record, origin)) }),
  };
}

function evidence(record: PackRecord, origin: string): { [key: string]: Json } {
  return {
    href: `${origin}${record.kind === 'entry' ? '/dashboard/audit/' : '/dashboard/ai-reasoning/'}${record.id}`,
    description: `${record.at} ${record.what}${record.exceptions.length > 0 ? ` (${record.exceptions.join(', ')})` : ''}`,
  };
}
