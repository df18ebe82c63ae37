// The environments. To add one: a folder with its spec, and one line here.
import { blackjack } from "./blackjack/index.ts";
import { navigation } from "./navigation/index.ts";
import { primitiveSkill } from "./primitive-skill/index.ts";
import { envs } from "./registry.ts";
import { sokoban } from "./sokoban/index.ts";
import { spatialGym } from "./spatial-gym/index.ts";
import { svg } from "./svg/index.ts";
import { visualMath } from "./visual-math/index.ts";

/** In the order in which they are offered, after FrozenLake. */
const others = [sokoban, visualMath, navigation, primitiveSkill, svg, blackjack, spatialGym];
for (const spec of others) envs.add(spec);

export { envs, envTitle, isLoaded, loadEnv, loadEnvs, loadFailure } from "./registry.ts";
