// Takes addresses out of a lock file: versions and hashes are all that is needed to install.
import { readFileSync, writeFileSync } from "node:fs";

const [, , path] = process.argv;
const lock = JSON.parse(readFileSync(path, "utf8"));
for (const one of Object.values(lock.packages)) {
  delete one.funding;
  delete one.resolved;
}
writeFileSync(path, JSON.stringify(lock, null, 2) + "\n");
