import type { Browser } from '@playwright/test';

/** One picture of a page, as base64, and when it was taken (milliseconds). */
export type Frame = { at: number; jpeg: string };

/** Whoever watches need not wait longer than this for a page to change. */
const LONGEST_PAUSE_MS = 2_000;
const BITS_A_SECOND = 900_000;

/** Plays the frames on a canvas as they were taken, and has the browser record it: WebM (VP9) without sound, and a poster (WebP). */
export async function makeFilm(browser: Browser, frames: readonly Frame[], size: { width: number; height: number }) {
  const page = await browser.newPage();
  const pauses = frames.map((frame, place) =>
    Math.min(LONGEST_PAUSE_MS, (frames[place + 1]?.at ?? frame.at + LONGEST_PAUSE_MS) - frame.at),
  );
  await page.exposeFunction('frameAt', (place: number) => frames[place]?.jpeg ?? null);
  const made = await page.evaluate(
    async ({ pauses, size, bits }) => {
      const canvas = Object.assign(document.createElement('canvas'), size);
      document.body.append(canvas);
      const pencil = canvas.getContext('2d');
      if (pencil === null) throw new Error('no canvas here');
      const chunks: Blob[] = [];
      const recorder = new MediaRecorder(canvas.captureStream(12), { mimeType: 'video/webm;codecs=vp9', videoBitsPerSecond: bits });
      recorder.ondataavailable = ({ data }) => chunks.push(data);
      const stopped = new Promise((resolve) => {
        recorder.onstop = resolve;
      });
      const fetchFrame = (window as unknown as { frameAt(place: number): Promise<string | null> }).frameAt;
      let poster = '';
      const draw = async (place: number) => {
        const picture = new Image();
        picture.src = `data:image/jpeg;base64,${await fetchFrame(place)}`;
        await picture.decode();
        pencil.drawImage(picture, 0, 0, size.width, size.height);
      };
      await draw(0);
      recorder.start(1_000);
      const began = performance.now();
      let due = began;
      for (const [place, pause] of pauses.entries()) {
        due += pause;
        // What is late already is passed over: the film keeps its time.
        if (performance.now() > due && place < pauses.length - 1) continue;
        await draw(place);
        while (performance.now() < due) {
          // A still canvas gives no frames, and the recorder would end the picture there.
          pencil.fillRect(0, 0, 0, 0);
          await new Promise((resolve) => setTimeout(resolve, Math.min(80, Math.max(1, due - performance.now()))));
        }
      }
      poster = canvas.toDataURL('image/webp', 0.82);
      recorder.stop();
      await stopped;
      const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer());
      let text = '';
      for (let start = 0; start < bytes.length; start += 32_768) text += String.fromCharCode(...bytes.subarray(start, start + 32_768));
      return { webm: btoa(text), poster: poster.slice(poster.indexOf(',') + 1), seconds: (performance.now() - began) / 1_000 };
    },
    { pauses, size, bits: BITS_A_SECOND },
  );
  await page.close();
  return { webm: Buffer.from(made.webm, 'base64'), poster: Buffer.from(made.poster, 'base64'), seconds: made.seconds };
}
