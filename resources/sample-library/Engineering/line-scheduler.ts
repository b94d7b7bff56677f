/** Decides which sensor on the line is asked next. */

/** A sensor that stays silent this many times in a row is put aside. */
const silentLimit = 3;

/** How long a sensor that was put aside rests before it is asked again, in milliseconds. */
const restMs = 2_000;

interface Station {
  address: number;
  silences: number;
  restsUntilMs: number;
}

/** Round robin over the stations that are awake. */
export class LineScheduler {
  private next = 0;

  constructor(private readonly stations: Station[]) {}

  /** Address to ask now, or undefined while everybody rests. */
  pick(nowMs: number): number | undefined {
    for (let step = 0; step < this.stations.length; step += 1) {
      const station = this.stations[(this.next + step) % this.stations.length];
      if (station && station.restsUntilMs <= nowMs) {
        this.next = (this.next + step + 1) % this.stations.length;
        return station.address;
      }
    }
    return undefined;
  }

  /** Notes that a station did not answer. */
  silent(address: number, nowMs: number): void {
    const station = this.stations.find((candidate) => candidate.address === address);
    if (!station) return;
    station.silences += 1;
    if (station.silences >= silentLimit) {
      station.silences = 0;
      station.restsUntilMs = nowMs + restMs;
    }
  }
}
