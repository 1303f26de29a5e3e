-- rankswap.sql
--		What the experiments on rank swapping share.

-- protect makes the release paper.<source>, in place of the one before.
CREATE PROCEDURE paper.protect(source text, method text, parameter float8, seed int)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('SELECT FROM sdc_%s(%L, %s => %s, target => %L, seed => %s, replace => true)', method, 'public.' || source,
		CASE method WHEN 'rankswap_buckets' THEN 'buckets' ELSE 'p' END, parameter, 'paper.' || source, seed);
END
$$;

-- known returns the first columns of a release that are protected.
CREATE FUNCTION paper.known(made regclass, number int) RETURNS name[]
LANGUAGE sql STABLE AS $$ SELECT columns[:number] FROM sdc_releases WHERE release = made $$;

-- short is the name of a method with a parameter, as the paper has it.
CREATE FUNCTION paper.short(method text, parameter float8) RETURNS text
LANGUAGE sql IMMUTABLE AS $$ SELECT 'rs ' || parameter || CASE method WHEN 'rankswap_distribution' THEN '-d' WHEN 'rankswap_buckets' THEN '-b' ELSE '' END $$;
