import type { ShownText, valueCutter } from '#app/components/value/shown-value.ts';

/** One request and what came back, its bodies cut to what a page can bear. `status`: of HTTP. */
export type ShownFrame = {
  method: string;
  url: string;
  requestHeaders: [string, string][];
  requestBody: ShownText;
  status: number | null;
  responseHeaders: [string, string][];
  responseBody: ShownText;
  tookMs: number;
};

type Frame = Omit<ShownFrame, 'requestBody' | 'responseBody'> & { requestBody: string; responseBody: string };

/** Frames within what is left of the page's budget. */
export function cutFrames(frames: readonly Frame[], { text }: ReturnType<typeof valueCutter>): ShownFrame[] {
  return frames.map((frame) => ({ ...frame, requestBody: text(frame.requestBody), responseBody: text(frame.responseBody) }));
}
