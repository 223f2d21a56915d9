/** Kind of run that a form starts: the published version, a test of the draft, or a dry run of it. */
export type StartMode = 'live' | 'test' | 'dry';

/** By `?mode=` of the address. */
export function startModeOf(url: URL): StartMode {
  const mode = url.searchParams.get('mode');
  return mode === 'test' || mode === 'dry' ? mode : 'live';
}
