/** When was a mail written, on its writer's clock? */

/** ISO 8601 with the zone that the date was written in (RFC 5322, 3.3), UTC where it names none; what is no date stays as it is. */
export function readDate(written: string): string {
  const said = written.replaceAll(/\s+/gu, ' ').trim();
  const time = Date.parse(said);
  if (Number.isNaN(time)) return said;
  const zone = /([+-])(\d\d):?(\d\d)(?: ?\([^)]*\))?$/.exec(said);
  const minutes = zone ? Number(`${zone[1]}1`) * (Number(zone[2]) * 60 + Number(zone[3])) : 0;
  const local = new Date(time + minutes * 60_000);
  if (Number.isNaN(local.getTime())) return said;
  const clock = local.toISOString().slice(0, -5);
  return minutes === 0 || !zone ? `${clock}Z` : `${clock}${zone[1]}${zone[2]}:${zone[3]}`;
}

/** The day on the writer's calendar; undefined where that is no date. */
export function dayOf(date: string): string | undefined {
  return /^(\d{4}-\d\d-\d\d)T/.exec(date)?.[1];
}
