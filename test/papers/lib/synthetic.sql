-- synthetic.sql
--		Normal and binormal records for the experiments on synthetic data.

-- uniform and normal: the NUMBERth random number of a record.
CREATE FUNCTION paper.uniform(record bigint, number bigint) RETURNS float8
LANGUAGE sql IMMUTABLE AS $$ SELECT ((hashint8extended(record, number) & 2147483647) + 0.5) / 2147483648.0::float8 $$;
CREATE FUNCTION paper.normal(record bigint, number bigint) RETURNS float8
LANGUAGE sql IMMUTABLE AS $$ SELECT sqrt(-2 * ln(paper.uniform(record, 2 * number))) * cos(2 * pi() * paper.uniform(record, 2 * number + 1)) $$;

-- draw_binormal makes a table (record, x, y) of binormal records of correlation rho within [-2, 2], the SAMPLEth.
CREATE PROCEDURE paper.draw_binormal(target text, records int, rho float8, sample int)
LANGUAGE plpgsql AS $$
BEGIN
	EXECUTE format('DROP TABLE IF EXISTS %s', target);
	EXECUTE format('CREATE TABLE %s AS
		SELECT record, x, y FROM (SELECT record, x, %2$s * x + sqrt(1 - %2$s ^ 2) * z AS y
			FROM (SELECT record, paper.normal(record, 2 * %3$s) AS x, paper.normal(record, 2 * %3$s + 1) AS z
				FROM generate_series(1::bigint, %4$s * 5 / 4) AS record OFFSET 0) AS independent OFFSET 0) AS correlated
		WHERE abs(x) <= 2 AND abs(y) <= 2 LIMIT %4$s', target, rho, sample, records);
END
$$;
