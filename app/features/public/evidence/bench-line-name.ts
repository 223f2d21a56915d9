import type { TFunction } from 'i18next';

/**
 * A line of the bench in the reader's language; null for one that has no name there yet, such as the address of a screen, which is then
 * shown as the bench wrote it. `format` writes a number as the reader does.
 */
export function benchLineName(what: string, t: TFunction<'evidence'>, format: (value: number) => string): string | null {
  const count = (pattern: RegExp) => format(Number(pattern.exec(what)?.[1]?.replaceAll(',', '')));
  const setup = /, (server alone|server and \d+ workers?)$/.exec(what)?.[1];
  const workers =
    setup === undefined ? '' : setup === 'server alone' ? t('bench.alone') : t('bench.withWorkers', { number: /\d+/.exec(setup)?.[0] });
  const rules: readonly [RegExp, () => string][] = [
    [/^routing decision p95, /, () => t('lines.routing', { number: count(/p95, (\d+)/) })],
    [/^first start, /, () => t('lines.firstStart')],
    [/^start on existing data$/, () => t('lines.nextStart')],
    [/^idle memory/, () => t('lines.idleMemory')],
    [
      /^INP on /,
      () => t('lines.interaction', { page: /on (\S+)/.exec(what)?.[1], rows: count(/with (\d+)/), slower: count(/(\d+) times/) }),
    ],
    [/^a navigation shows/, () => t('lines.navigation')],
    [/^slowest of \d+ addresses/, () => t('lines.slowest', { addresses: count(/of (\d+)/), runs: count(/on ([\d,]+) runs/) })],
    [/^steps a minute/, () => t('lines.steps', { workers })],
    [/^step start p95/, () => t('lines.stepStart', { rate: count(/at ([\d,]+)/), workers })],
    [/^event loop p99/, () => t('lines.eventLoop')],
    [/^CPU a run, web server/, () => t('lines.cpuServer')],
    [/^CPU a run, database/, () => t('lines.cpuDatabase')],
    [/^failed or unfinished runs/, () => t('lines.failed')],
    [/^whole run p95/, () => t('lines.wholeRun')],
    [/^\d+ runs that each wait/, () => t('lines.waiting', { number: count(/^(\d+)/) })],
    [/^most calls under way/, () => t('lines.atOnce')],
    [/^CPU of a verification, token/, () => t('lines.tokenAlone')],
    [/^CPU of a verification, with/, () => t('lines.tokenAndSession')],
    [/^list of 50 runs/, () => t('lines.list')],
    [/^CPU a request, from a constant/, () => t('lines.cpuConstant')],
    [/^CPU a request, whole/, () => t('lines.cpuWhole')],
    [/^start page, kept/, () => t('lines.keptAgainstDrawn')],
    [/^against node answering/, () => t('lines.keptAgainstPrepared', { bytes: count(/(\d+) prepared/) })],
    [/^kept, requests/, () => t('lines.kept')],
    [/^drawn anew, requests/, () => t('lines.drawn')],
    [/^prepared bytes, requests/, () => t('lines.prepared')],
  ];
  return rules.find(([pattern]) => pattern.test(what))?.[1]() ?? null;
}
